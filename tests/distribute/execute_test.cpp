// All ranks in step: the bits of one rank, sums that begin once, and what happens where something is not sent.
#include <doctest/doctest.h>

#include "engine/distribute/execute.hpp"
#include "engine/distribute/print.hpp"
#include "tests/distribute/filled.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

struct Ran {
  distribute::InStep how;
  tensor::Tensor result;
};

Ran on_ranks(const Made& m, const std::string& result, std::int64_t ranks, const distribute::Numbers& sizes) {
  const loop::Bindings bindings = filled(m, sizes);
  const auto cuts = distribute::cut(*m.plan, {ranks}, sizes);
  Ran ran{distribute::run_in_step(*m.plan, *cuts, bindings), bindings.tensors.at(result)};
  return ran;
}

tensor::Tensor on_one(const Made& m, const std::string& result, const distribute::Numbers& sizes) {
  const loop::Bindings bindings = filled(m, sizes);
  REQUIRE(!loop::interpret(m.plan->loops, bindings).fault);
  return bindings.tensors.at(result);
}

}  // namespace

TEST_CASE("heat has the bits of one rank on 1 to 12 ranks, more than there are rows") {
  const Made m = made(heat);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const distribute::Numbers sizes{{"n", 10}, {"steps", 7}};
  const tensor::Tensor expected = on_one(m, "u", sizes);
  for (std::int64_t ranks = 1; ranks <= 12; ++ranks) {
    CAPTURE(ranks);
    const Ran ran = on_ranks(m, "u", ranks, sizes);
    CHECK(ran.how.astray == "");
    CHECK(same(ran.result, expected));
    const auto cuts = distribute::cut(*m.plan, {ranks}, sizes);
    const auto foretold = distribute::volume(*m.plan, *cuts, m.plan->exchanges.front());
    CHECK(static_cast<const distribute::Sent&>(*foretold) == ran.how.sent.front());
  }
}

TEST_CASE("parts of many rows are sent as parts of few are") {
  const Made m = made("param n = 300\ntensor x(n)\ntensor y(n)\ny(i) = x(n-1-i)\nranks p\ndistribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  const Ran ran = on_ranks(m, "y", 3, {{"n", 300}});
  CHECK(ran.how.astray == "");
  CHECK(same(ran.result, on_one(m, "y", {{"n", 300}})));
  REQUIRE(ran.how.sent.size() == 1);
  CHECK(ran.how.sent.front().elements == 200);  // the middle part has its own
}

TEST_CASE("without its ghosts a rank reads what it does not have, and that is said") {
  Made m = made(heat);
  REQUIRE_MESSAGE(m.plan, m.errors);
  m.plan->exchanges.clear();
  const Ran ran = on_ranks(m, "u", 2, {{"n", 10}, {"steps", 7}});
  mentions(ran.how.astray, "rank 0 reads u_steps(0,5) at t=0, i=4, which it neither owns nor was sent");
}

TEST_CASE("ghosts that are sent once are old in the next step") {
  Made m = made(heat);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const auto steps = [&](const loop::Stmt& s) { return s.as<loop::For>() && s.as<loop::For>()->variable == "t"; };
  loop::for_each(m.plan->loops, [&](const loop::Stmt& s) {
    if (steps(s)) m.plan->exchanges.front().statement = s.id();
  });
  for (math::Domain& piece : m.plan->exchanges.front().sections)
    std::erase_if(piece.constraints, [](const math::Constraint& c) { return c.mentions("t"); });
  mentions(on_ranks(m, "u", 2, {{"n", 10}, {"steps", 7}}).how.astray, "which it neither owns nor was sent");
}

TEST_CASE("what is read before another rank overwrites it is a copy") {
  const Made m =
      made("param n = 8\ntensor x(n)\nloops { for i in 0:n-1 { x(i) = x(i+1) } }\nranks p\ndistribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  const Ran ran = on_ranks(m, "x", 3, {{"n", 8}});
  CHECK(ran.how.astray == "");
  CHECK(same(ran.result, on_one(m, "x", {{"n", 8}})));
}

TEST_CASE("a sum goes on from what there was, once and not in each part") {
  const Made m = made(
      "param n = 8\ntensor x(n)\ntensor s\nloops { for i in 0:n { s += x(i) } }\nranks p\n"
      "distribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  for (const std::int64_t ranks : {1, 3, 9}) {
    const Ran ran = on_ranks(m, "s", ranks, {{"n", 8}});
    CHECK(ran.how.astray == "");
    CHECK(same(ran.result, on_one(m, "s", {{"n", 8}})));  // whole numbers: the order of additions is no matter
  }
}

TEST_CASE("of rows and columns each rank of a grid has its own, and corners come too") {
  const Made m = made(
      "param n = 6\ntensor u(n, n)\ntensor v(n, n)\nv(i,j) = u(i-1,j-1) + u(i+1,j+1) : 1 <= i < n-1, 1 <= j < n-1\n"
      "order i j\nranks p q\ndistribute i over p\ndistribute j over q\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  const distribute::Numbers sizes{{"n", 6}};
  const loop::Bindings bindings = filled(m, sizes);
  const auto cuts = distribute::cut(*m.plan, {2, 3}, sizes);
  const auto ran = distribute::run_in_step(*m.plan, *cuts, bindings);
  CHECK(ran.astray == "");
  CHECK(same(bindings.tensors.at("v"), on_one(m, "v", sizes)));
  CHECK(m.exchange("u")->pattern == "halo 1");
}
