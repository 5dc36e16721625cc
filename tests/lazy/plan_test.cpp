// Plans: what is chosen, that it computes the same, and why.
#include "engine/lazy/plan.hpp"

#include <doctest/doctest.h>

#include <set>

#include "engine/compile.hpp"
#include "engine/flow/look_ups.hpp"
#include "engine/lazy/compute.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "tests/lazy/problems.hpp"
#include "tests/lazy/tables.hpp"

namespace trellis::lazy {
namespace {

ComputeOptions in_this_process() {
  ComputeOptions options;
  options.backend = run::Backend::jit;
  options.limits.trusted = true;
  return options;
}

}  // namespace

TEST_CASE("A B v goes all the way, in two steps") {
  const Problem p = chain_with_vector(40, 400, Spread::even);
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto computed = compute({p.query}, p.tensors, in_this_process(), sources, diagnostics);
  for (const auto& d : diagnostics.all()) MESSAGE(text::render(d, sources, text::Colour::off));
  REQUIRE(computed);
  REQUIRE(computed->planning.chosen.queries.size() == 2);
  CHECK(to_string(computed->planning.chosen.queries[0].query) == "t1(i) = sum(j)(B(i,j) * v(j))");
  CHECK(to_string(computed->planning.chosen.queries[1].query) == "R(i) = sum(j)(A(i,j) * t1(j))");
  CHECK(difference(dense(p.query.expr, p.tensors, p.query.fields), computed->results.at("R")) == "");
  const std::string why = to_string(computed->why());
  CHECK(why.find("second, about") != std::string::npos);
  CHECK(why.find("flips at ") != std::string::npos);
  CHECK(why.find("40 entries expected, 40 stored") != std::string::npos);
}

namespace {

/// Kernels of the plan that search against the storage of what they read.
std::string walked_against(const Compiled& compiled) {
  std::string found;
  for (const lang::Kernel& kernel : compiled.program.kernels) {
    text::Diagnostics diagnostics;
    const Compilation compilation = trellis::compile(compiled.program, kernel, diagnostics);
    if (flow::look_ups(compilation.flow, {}).avoidable() > 0) found += kernel.name + " ";
  }
  return found;
}

}  // namespace

TEST_CASE("all plans of a problem give the same, and none walks an operand against its storage") {
  for (const Spread spread : {Spread::even, Spread::skewed})
    for (const Problem& p : plan_problems(10, spread)) {
      CAPTURE(p.name);
      const DenseArray expected = dense(p.query.expr, p.tensors, p.query.fields);
      const auto plans = all_plans({p.query}, formats_of(p.tensors), counted_in(p.tensors), {});
      CHECK(plans.size() > 1);
      for (const Alternative& alternative : plans) {
        CAPTURE(to_string(alternative.plan()));
        text::Sources sources;
        text::Diagnostics diagnostics;
        const auto compiled =
            compile(alternative.plan(), formats_of(p.tensors), run::Backend::jit, sources, diagnostics);
        for (const text::Diagnostic& d : diagnostics.all())
          if (d.severity == text::Severity::error) FAIL(text::render(d, sources, text::Colour::off));
        REQUIRE(compiled);
        CHECK(walked_against(*compiled) == "");
        const auto results = evaluate(*compiled, p.tensors, in_this_process().limits, diagnostics);
        REQUIRE(results);
        CHECK(difference(expected, results->at("R")) == "");
      }
    }
}

TEST_CASE("along a sweep of entries the choice changes, and why says where") {
  std::set<std::string> outlines;
  std::string foretold;
  for (const std::int64_t entries : {100, 1000, 10000}) {
    Problem p = chain_with_vector(1000, 10000, Spread::even);
    p.tensors.at("A") = chain_with_vector(1000, entries, Spread::even).tensors.at("A");
    const Formats formats = formats_of(p.tensors);
    const CountedTables counted = counted_in(p.tensors);
    const Planning planning = plan({p.query}, formats, counted, {});
    outlines.insert(planning.chosen.outline);
    for (const Why::Flip& flip : why({p.query}, formats, counted, {}, planning).flips) foretold += flip.outline + "\n";
  }
  REQUIRE(outlines.size() == 2);
  for (const std::string& outline : outlines) CHECK(foretold.find(outline) != std::string::npos);
}

TEST_CASE("where only what is exact is allowed, a product is computed as it is written") {
  const Problem p = chain_with_vector(50, 200, Spread::even);
  PlanOptions exact;
  exact.allowed = Exactness::exact;
  const auto plans = all_plans({p.query}, formats_of(p.tensors), counted_in(p.tensors), exact);
  REQUIRE(plans.size() == 1);
  REQUIRE(plans[0].queries.size() == 1);
  CHECK(plans[0].queries[0].query.expr == p.query.expr);
}

TEST_CASE("where only what is exact is allowed, sums of floating numbers are added up in the order of their fields") {
  const auto order_of = [](Exactness allowed, format::ScalarType type) {
    const Field j = fresh_field(30), k = fresh_field(30);
    tensor::Tensor m = chain_with_vector(30, 200, Spread::even).tensors.at("A");
    const Query query{"R", {}, agg(format::ReduceOp::sum, {j, k}, cast(type, table_of("M", m, {k, j}))), {}, {}};
    PlanOptions options;
    options.allowed = allowed;
    const Planning planning = plan({query}, {{"M", m.format()}}, {{"M", count_entries(m)}}, options);
    return planning.chosen.queries.back().query.order == std::vector<Field>{j, k} ? "j k" : "k j";
  };
  CHECK(order_of(Exactness::rounds, format::ScalarType::f64) == std::string("k j"));
  CHECK(order_of(Exactness::exact, format::ScalarType::f64) == std::string("j k"));
  CHECK(order_of(Exactness::exact, format::ScalarType::i64) == std::string("k j"));
}

TEST_CASE("of plans that are estimated alike the one that is faster as compiled is taken") {
  int compared = 0;
  for (const Spread spread : {Spread::even, Spread::skewed})
    for (const Problem& p : plan_problems(200, spread)) {
      const auto plans = all_plans({p.query}, formats_of(p.tensors), counted_in(p.tensors), {});
      CAPTURE(p.name);
      for (const Alternative& other : plans) {
        if (!other.compiled || !plans.front().compiled) continue;
        CHECK(*plans.front().compiled <= *other.compiled);
        compared += &other != &plans.front();
      }
    }
  CHECK(compared > 0);
}

namespace {

/// Blocks along the diagonal: a product of two of them fills no more places than they do, which degrees do not tell.
tensor::Tensor blocks(std::int64_t n, std::int64_t block) {
  tensor::Coordinates entries;
  entries.shape = {n, n};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i / block * block; j < (i / block + 1) * block; ++j) {
      entries.indices.insert(entries.indices.end(), {i, j});
      entries.reals.push_back(1);
    }
  entries.count = entries.reals.size();
  auto made = tensor::Tensor::create(format::ScalarType::f64, {n, n}, sparse_format(2),
                                     format::Value::of(format::ScalarType::f64, 0));
  text::Diagnostics diagnostics;
  load_into(*made, std::move(entries), {}, diagnostics);
  return *made;
}

}  // namespace

TEST_CASE("a plan is kept with its code, and made anew where a run was far off") {
  const Tensors tensors{{"A", blocks(600, 30)}};
  ReadyPlans plans;
  ComputeOptions options = in_this_process();
  options.plans = &plans;
  const auto expected = [&] {
    const Field i = fresh_field(600), j = fresh_field(600), k = fresh_field(600);
    const Expr product = map(format::BinaryOp::multiply,
                             {table_of("A", tensors.at("A"), {i, j}), table_of("A", tensors.at("A"), {j, k})});
    const Query query{"R", {i, k}, agg(format::ReduceOp::sum, {j}, product), {}, {}};
    text::Sources sources;
    text::Diagnostics diagnostics;
    const auto computed = compute({query}, tensors, options, sources, diagnostics);
    REQUIRE(computed);
    CHECK(computed->stored.at("R") == 600 * 30);
    return computed->planning.chosen.queries.back().stored.entries;
  };
  CHECK(is_far_off(expected(), 600 * 30));
  CHECK(plans.size() == 0);
  CHECK(expected() == doctest::Approx(600 * 30));
  CHECK(plans.size() == 1);
  CHECK(expected() == doctest::Approx(600 * 30));
  CHECK(plans.size() == 1);
}

TEST_CASE("a sum that is read at few of its elements is made a row at a time, whatever is left of the rows") {
  Problem p = chain_with_vector(60, 640, Spread::even);
  const std::vector<Field> f = {fresh_field(60), fresh_field(60), fresh_field(60)};
  const auto read = [&](const Field& row, const Field& column) {
    return table_of("A", p.tensors.at("A"), {row, column});
  };
  const Expr product = map(format::BinaryOp::multiply,
                           {map(format::BinaryOp::multiply, {read(f[0], f[1]), read(f[1], f[2])}), read(f[0], f[2])});
  for (const std::vector<Field>& left : {std::vector<Field>{}, {f[0]}, {f[2]}}) {
    p.query = {"R", left, agg(format::ReduceOp::sum, without(as_set(f), as_set(left)), product), {}, {}};
    text::Sources sources;
    text::Diagnostics diagnostics;
    const auto computed = compute({p.query}, p.tensors, in_this_process(), sources, diagnostics);
    REQUIRE(computed);
    CHECK(computed->planning.chosen.queries.size() == 1);
    CHECK(computed->planning.chosen.outline.find("a row at a time") != std::string::npos);
    CHECK(difference(dense(p.query.expr, p.tensors, p.query.fields), computed->results.at("R")) == "");
  }
}

TEST_CASE("long rows are made one at a time as well: they are cleared where they are read alone") {
  Problem p = chain_with_vector(20000, 40000, Spread::even);
  const std::vector<Field> f = {fresh_field(20000), fresh_field(20000), fresh_field(20000)};
  const auto read = [&](const Field& row, const Field& column) {
    return table_of("A", p.tensors.at("A"), {row, column});
  };
  p.query = {"R",
             {},
             agg(format::ReduceOp::sum, as_set(f),
                 map(format::BinaryOp::multiply,
                     {map(format::BinaryOp::multiply, {read(f[0], f[1]), read(f[1], f[2])}), read(f[0], f[2])})),
             {},
             {}};
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto computed = compute({p.query}, p.tensors, in_this_process(), sources, diagnostics);
  REQUIRE(computed);
  CHECK(computed->planning.chosen.outline.find("a row at a time") != std::string::npos);
}

TEST_CASE("what reduces nothing is planned whatever its type") {
  Problem p = chain_with_vector(20, 60, Spread::even);
  const auto read = [&](const char* name) {
    return table_of(name, p.tensors.at(name), {p.query.fields[0], p.query.fields[1]});
  };
  p.query.fields = {p.query.fields[0], fresh_field(20)};
  p.query.expr = map(format::BinaryOp::less, {read("A"), read("B")});
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto computed = compute({p.query}, p.tensors, in_this_process(), sources, diagnostics);
  REQUIRE(computed);
  CHECK(difference(dense(p.query.expr, p.tensors, p.query.fields), computed->results.at("R")) == "");
}

TEST_CASE("sums that are nested in other operators have plans of their own") {
  Problem p = chain_with_vector(30, 200, Spread::even);
  const Field i = p.query.fields[0];
  p.query.expr =
      map(format::BinaryOp::add, {map(format::Function::abs, {p.query.expr}), table_of("v", p.tensors.at("v"), {i})});
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto computed = compute({p.query}, p.tensors, in_this_process(), sources, diagnostics);
  REQUIRE(computed);
  CHECK(computed->planning.chosen.queries.size() == 3);
  CHECK(difference(dense(p.query.expr, p.tensors, p.query.fields), computed->results.at("R")) == "");
}

TEST_CASE("of more fields than six one plan is found by looking ahead one step") {
  std::vector<Field> fields;
  for (int k = 0; k < 9; ++k) fields.push_back(fresh_field(4));
  Tensors tensors;
  std::vector<Expr> factors;
  for (std::size_t k = 0; k + 1 < fields.size(); ++k) {
    const std::string name = "M" + std::to_string(k);
    tensors[name] = tensor_of(format::ScalarType::f64, {4, 4}, {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6}, "csr");
    factors.push_back(table_of(name, tensors[name], {fields[k], fields[k + 1]}));
  }
  Expr chain = factors[0];
  for (std::size_t k = 1; k < factors.size(); ++k) chain = map(format::BinaryOp::multiply, {chain, factors[k]});
  const Query query{"R", {fields[0]}, agg(format::ReduceOp::sum, without(as_set(fields), {fields[0]}), chain), {}, {}};
  const Planning planning = plan({query}, formats_of(tensors), counted_in(tensors), {});
  CHECK(planning.greedy);
  CHECK(planning.chosen.queries.size() > 3);
}

}  // namespace trellis::lazy
