// From an expression to numbers: rewritten, lowered, compiled and run on sparse operands.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lazy/queries.hpp"
#include "engine/lazy/rewrite.hpp"
#include "tests/lazy/tables.hpp"

namespace trellis::lazy {
namespace {

using format::BinaryOp;
using format::ReduceOp;

struct Squared {
  Field i = fresh_field(3), j = fresh_field(3), k = fresh_field(3);
  Tensors operands{{"A", tensor_of(format::ScalarType::f64, {3, 3}, {0, 2, 0, 1, 0, 3, 0, 0, 4}, "csr")},
                   {"B", tensor_of(format::ScalarType::f64, {3, 3}, {1, 0, 0, 0, 0, 2, 5, 0, 0}, "csc")}};
  Expr a(const Field& p, const Field& q) const { return table_of("A", operands.at("A"), {p, q}); }
  Expr b(const Field& p, const Field& q) const { return table_of("B", operands.at("B"), {p, q}); }
  Expr product() const { return agg(ReduceOp::sum, {k}, map(BinaryOp::multiply, {a(i, k), b(k, j)})); }
};

}  // namespace

TEST_CASE("sum((A @ B) * A) goes all the way") {
  const Squared s;
  const Expr e = agg(ReduceOp::sum, {s.i, s.j}, map(BinaryOp::multiply, {s.product(), s.a(s.i, s.j)}));
  CHECK(to_string(e) == "sum(i,k)(sum(j)(A(i,j) * B(j,k)) * A(i,k))");
  for (const Expr& way : {e, rewrite(e, Exactness::rounds).expr}) {
    std::string wrong;
    const Tensors results = run_plan({{{"s", {}, way, {}}}, {"s"}}, s.operands, wrong);
    CAPTURE(wrong);
    REQUIRE(results.contains("s"));
    CHECK(difference(dense(e, s.operands), results.at("s")) == "");
    CHECK(results.at("s").get({}) == format::Value::of(format::ScalarType::f64, 16));
  }
}

TEST_CASE("a plan is a program: declarations, and a kernel a query") {
  const Squared s;
  const Query c{"C", {s.i, s.j}, s.product(), {}};
  const Query y{"y", {s.i}, agg(ReduceOp::sum, {s.j}, read(c, {s.i, s.j})), {}};
  const Lowered lowered = lower({{c, y}, {"y"}}, formats_of(s.operands));
  CHECK(lang::print(lowered.file).characters ==
        "tensor A(3, 3): csr f64\n"
        "tensor B(3, 3): csc f64\n"
        "tensor C(3, 3): csr f64\n"
        "kernel make_C {\n"
        "  C(i,j) = sum(k)(A(i,k) * B(k,j))\n"
        "}\n"
        "tensor y(3): f64\n"
        "kernel make_y {\n"
        "  y(i) = sum(j)(C(i,j))\n"
        "}\n");
  std::string wrong;
  const Tensors results = run_plan({{c, y}, {"C", "y"}}, s.operands, wrong);
  CAPTURE(wrong);
  REQUIRE(results.size() == 2);
  CHECK(results.at("C").format().name == "csr");
  CHECK(difference(dense(c.expr, s.operands, c.fields), results.at("C")) == "");
  CHECK(difference(dense(agg(ReduceOp::sum, {s.j}, c.expr), s.operands), results.at("y")) == "");
}

TEST_CASE("what fails is said, with a place in the plan as a program") {
  const Field i = fresh_field(2);
  const Tensors operands{{"p", tensor_of(format::ScalarType::i64, {2}, {6, 8})},
                         {"q", tensor_of(format::ScalarType::i64, {2}, {3, 0})}};
  const Expr quotient =
      map(BinaryOp::divide, {table_of("p", operands.at("p"), {i}), table_of("q", operands.at("q"), {i})});
  std::string wrong;
  CHECK(run_plan({{{"r", {i}, quotient, {}}}, {"r"}}, operands, wrong).empty());
  CHECK(wrong.find("error[E0502]: r: ") != std::string::npos);

  // A table of two shapes.
  wrong.clear();
  const Field j = fresh_field(3);
  const Expr sum = map(BinaryOp::add, {table_of("p", operands.at("p"), {i}), table_of("p", operands.at("p"), {j})});
  CHECK(run_plan({{{"r", {i, j}, sum, {}}}, {"r"}}, operands, wrong).empty());
  CHECK(wrong.find("plan:4:") != std::string::npos);
  CHECK(wrong.find("error[E0301]") != std::string::npos);
}

TEST_CASE("kernels run in a child, within limits, or in this process") {
  const Squared s;
  const Plan plan{{{"C", {s.i, s.j}, s.product(), {}}}, {"C"}};
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto compiled = compile(plan, formats_of(s.operands), run::Backend::jit, sources, diagnostics);
  REQUIRE(compiled);
  for (const bool trusted : {true, false}) {
    run::Limits limits;
    limits.trusted = trusted;
    const auto results = evaluate(*compiled, s.operands, limits, diagnostics);
    REQUIRE(results);
    CHECK(difference(dense(plan.queries[0].expr, s.operands, {s.i, s.j}), results->at("C")) == "");
  }
}

namespace {

/// Of a matrix with four rows and columns.
format::Format declared(const std::string& attributes) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("declaration", "tensor A(4, 4): " + attributes);
  return lang::resolve(lang::parse(sources, source, diagnostics), diagnostics).value().tensor("A")->format;
}

}  // namespace

TEST_CASE("operands and results keep the formats that they have") {
  const Field i = fresh_field(4), j = fresh_field(4);
  const auto in = [&](const format::Format& format) {
    const auto dense = tensor_of(format::ScalarType::f64, {4, 4}, {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6});
    const Tensors operands{{"A", tensor::with_format(dense, format).value()}};
    const Expr twice = map(BinaryOp::add, {table_of("A", dense, {i, j}), table_of("A", dense, {j, i})});
    std::string wrong;
    const Tensors results = run_plan({{{"R", {i, j}, twice, format}}, {"R"}}, operands, wrong);
    CAPTURE(format::to_string(format));
    CAPTURE(wrong);
    REQUIRE(results.contains("R"));
    CHECK(results.at("R").format() == format);
    CHECK(difference(lazy::dense(twice, operands, {i, j}), results.at("R")) == "");
  };
  for (const char* name : {"dense", "csr", "csc", "coo", "dcsr"}) in(format::Format::named(name, 2).value());
  format::Format columns = format::Format::dense(2);
  std::ranges::reverse(columns.order);
  in(columns);
  columns.name.clear();
  columns.levels[1] = {"compressed", {"wide"}};
  in(columns);
  in(declared("bcsr(2, 2)"));
  in(declared("dia"));
}

}  // namespace trellis::lazy
