// Tempting readings of the rules, each of which some legal program shows to be wrong: a plan that is changed so goes
// astray in step, and threads, which have no such look at what they read, compute something else.
#include <doctest/doctest.h>

#include "engine/distribute/execute.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

using distribute::Exchange;
using distribute::Numbers;

/// What is wrong with the changed plan, in step.
std::string astray(const Made& m, std::vector<std::int64_t> grid, const Numbers& sizes) {
  const loop::Bindings bindings = filled(m, sizes);
  return distribute::run_in_step(*m.plan, *distribute::cut(*m.plan, std::move(grid), sizes), bindings).astray;
}

/// Whether threads still compute what one rank does.
bool right_on_threads(const Made& m, std::vector<std::int64_t> grid, const Numbers& sizes) {
  const loop::Bindings alone = filled(m, sizes), own = filled(m, sizes);
  REQUIRE(!loop::interpret(m.plan->loops, alone).fault);
  Compilation changed = *m.compilation;
  changed.distributed = m.plan;
  const auto cuts = distribute::cut(*m.plan, std::move(grid), sizes);
  const OnThreads ran = run_on_threads(changed, *cuts, own.parameters, own.tensors);
  CHECK(ran.problem == "");
  bool all = true;
  for (const std::string& name : m.compilation->kernel.results())
    all &= same(own.tensors.at(name), alone.tensors.at(name));
  return all;
}

void keep(Made& m, const math::Constraint& only) {
  for (Exchange& e : m.plan->exchanges)
    for (math::Domain& piece : e.sections) piece.constraints.push_back(only);
}

math::Affine name(const std::string& of) { return math::Affine::name(of); }

void drop(Made& m, Exchange::Kind kind) {
  std::erase_if(m.plan->exchanges, [&](const Exchange& e) { return e.kind == kind; });
}

}  // namespace

TEST_CASE("wrong: ghosts come from the two nearest elements") {
  const std::string far = "param n = 12\ntensor x(n)\ntensor y(n)\ny(i) = x(i-3) + x(i+3) : 3 <= i < n-3\n" + along_p;
  Made m = made(far);
  REQUIRE_MESSAGE(m.plan, m.errors);
  for (const std::int64_t ranks : {2, 6, 12}) CHECK(right_on_threads(m, {ranks}, {{"n", 12}}));  // wider than parts
  keep(m, {name("lo_p") - math::Affine(1), math::Relation::less_equal, name("#0")});
  CHECK(astray(m, {6}, {{"n", 12}}) != "");
  CHECK_FALSE(right_on_threads(m, {6}, {{"n", 12}}));
}

TEST_CASE("wrong: a grid needs no corners") {
  Made m = made(
      "param n = 6\ntensor u(n, n)\ntensor v(n, n)\nv(i,j) = u(i-1,j-1) : 1 <= i, 1 <= j\norder i j\nranks p q\n"
      "distribute i over p\ndistribute j over q\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(right_on_threads(m, {2, 3}, {{"n", 6}}));
  for (Exchange& e : m.plan->exchanges) {  // only what lies in own columns, or in own rows
    std::vector<math::Domain> without;
    for (const math::Domain& piece : e.sections)
      for (const bool columns : {true, false}) {
        without.push_back(piece);
        const std::string ends = columns ? "_q" : "_p", element = columns ? "#1" : "#0";
        without.back().constraints.push_back({name("lo" + ends), math::Relation::less_equal, name(element)});
        without.back().constraints.push_back({name(element), math::Relation::less, name("hi" + ends)});
      }
    e.sections = std::move(without);
  }
  CHECK(astray(m, {2, 3}, {{"n", 6}}) != "");
  CHECK_FALSE(right_on_threads(m, {2, 3}, {{"n", 6}}));
}

TEST_CASE("wrong: what is written elsewhere than it lives needs no message") {
  Made m = made(
      "param n = 9\ntensor x(n)\ntensor y(n)\ntensor z(n)\nloops { for i in 0:n { y(i) = x(i)\n z(n-1-i) = x(i) } }\n" +
      along_p);
  REQUIRE_MESSAGE(m.plan, m.errors);
  REQUIRE(std::ranges::count(m.plan->exchanges, Exchange::Kind::written, &Exchange::kind) == 1);
  CHECK(right_on_threads(m, {3}, {{"n", 9}}));
  drop(m, Exchange::Kind::written);
  CHECK(astray(m, {3}, {{"n", 9}}) != "");
  CHECK_FALSE(right_on_threads(m, {3}, {{"n", 9}}));
}

TEST_CASE("wrong: parts of a sum need no owner") {
  Made m = made("param n = 9\ntensor x(n)\ntensor s\nloops { for i in 0:n { s += x(i) } }\n" + along_p);
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(right_on_threads(m, {4}, {{"n", 9}}));
  drop(m, Exchange::Kind::sums);
  CHECK(astray(m, {4}, {{"n", 9}}) != "");
  CHECK_FALSE(right_on_threads(m, {4}, {{"n", 9}}));
}

TEST_CASE("wrong: an empty part gives 0") {
  for (const char* op : {"min=", "max=", "*=", "+="}) {
    CAPTURE(op);
    const Made m = made("param n = 3\ntensor x(n)\ntensor s\nloops { for i in 0:n { s " + std::string(op) +
                        " x(i) } }\n" + along_p);
    REQUIRE_MESSAGE(m.plan, m.errors);
    CHECK(right_on_threads(m, {7}, {{"n", 3}}));  // four of which have nothing
  }
}

TEST_CASE("wrong: each part begins with the old value") {
  const Made m =
      made("param n = 4\ntensor x(n)\ntensor s\nloops { for t in 0:3 { for i in 0:n { s += x(i) } } }\n" + along_p);
  REQUIRE_MESSAGE(m.plan, m.errors);
  for (const std::int64_t ranks : {1, 2, 4})
    CHECK(right_on_threads(m, {ranks}, {{"n", 4}}));  // which counts three times
}

TEST_CASE("wrong: each rank ends by its own sum") {
  const Made m = made(
      "param n = 6\ntensor x(n)\ntensor r\nx[t](i) = x[t-1](i) / 2 : t < 40\nr[t] = sum(i)(x[t](i)^2) : t < 40\n"
      "until r[t] < 1\norder t i\n" +
      along_p);
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(astray(m, {3}, {{"n", 6}}) == "");
  CHECK(right_on_threads(m, {3}, {{"n", 6}}));
}
