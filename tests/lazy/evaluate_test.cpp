// From an expression to numbers: rewritten, lowered, compiled and run on sparse operands.
#include <doctest/doctest.h>

#include "engine/lang/parse.hpp"
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

}  // namespace trellis::lazy
