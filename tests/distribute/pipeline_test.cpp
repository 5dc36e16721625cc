// Pipelines: which nests may go block by block, what is handed on, and the bits of one rank for any number of ranks and
// blocks, in step and on threads.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/distribute/forecast.hpp"
#include "tests/distribute/agreement.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

using distribute::Exchange;
using distribute::Numbers;

std::string pipeline(int block) { return along_p + "pipeline j " + std::to_string(block) + "\n"; }

const std::string alignment =
    "param n = 9\nparam m = 11\ntensor S(n, m)\ntensor H(n, m)\n"
    "H(i,j) = max(H(i-1,j-1) + S(i,j), H(i-1,j) - 1, H(i,j-1) - 1) : 1 <= i, 1 <= j\norder i j\n";
/// Of step t above and to the left, of the step before below and to the right.
const std::string gauss_seidel =
    "param n = 9\nparam steps = 3\ntensor u(n, n)\n"
    "u[t](i,j) = 0.25*(u[t](i-1,j) + u[t-1](i+1,j) + u[t](i,j-1) + u[t-1](i,j+1)) : 1 <= i < n-1, 1 <= j < n-1, "
    "t < steps\norder t i j\ninplace u\n";
/// Upwards.
const std::string backwards =
    "param n = 9\ntensor u(n, n)\nloops { for i down in 0:n-1 { for j in 1:n { u(i,j) = u(i+1,j) - 2*u(i,j-1) } } }\n";

}  // namespace

TEST_CASE("an alignment waits for the rank above, block by block") {
  mentions(made(alignment + along_p).errors, "E0151");
  mentions(made(alignment + along_p).errors, "this would work: `pipeline j 256`");
  const Made m = made(alignment + pipeline(4));
  REQUIRE_MESSAGE(m.plan, m.errors);
  REQUIRE(m.plan->pipelines.size() == 1);
  CHECK(m.plan->pipelines.begin()->second.ranks == "p");
  REQUIRE(m.plan->exchanges.size() == 1);
  CHECK(m.plan->exchanges.front().onward);
  CHECK(m.plan->exchanges.front().pattern == "halo 1");
  mentions(distribute::print(*m.plan, nullptr), "is handed on from rank to rank: halo 1");
  for (const int block : {1, 3, 4, 100})
    for (const std::int64_t ranks : {1, 2, 3, 5, 12}) {
      CAPTURE(block);
      CAPTURE(ranks);
      const Made blocks = made(alignment + pipeline(block));
      REQUIRE_MESSAGE(blocks.plan, blocks.errors);
      agrees_everywhere(blocks, ranks, {{"n", 9}, {"m", 11}});
    }
}

TEST_CASE("Gauss and Seidel's new values are handed on, the old ones come before the step") {
  const Made m = made(gauss_seidel + pipeline(3));
  REQUIRE_MESSAGE(m.plan, m.errors);
  REQUIRE(m.plan->exchanges.size() == 2);
  CHECK(!m.plan->exchanges[0].onward);
  CHECK(m.plan->exchanges[0].statement == m.plan->pipelines.begin()->first);
  CHECK(m.plan->exchanges[1].onward);
  CHECK(m.plan->exchanges[1].statement == m.plan->pipelines.begin()->second.nest);
  for (const std::int64_t ranks : {1, 2, 4, 9}) agrees_everywhere(m, ranks, {{"n", 9}, {"steps", 3}});
}

TEST_CASE("a loop that goes down hands on downwards") {
  const Made m = made(backwards + pipeline(2));
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(m.plan->pipelines.begin()->second.descending);
  for (const std::int64_t ranks : {1, 2, 4, 9}) agrees_everywhere(m, ranks, {{"n", 9}});
}

TEST_CASE("what a pipeline adds up is added behind all of its blocks") {
  const Made m = made(
      "param n = 9\ntensor u(n, n)\ntensor s\nloops { for i in 1:n { for j in 1:n { u(i,j) = u(i-1,j) + u(i,j-1)\n"
      "s += u(i,j) } } }\n" +
      pipeline(2));
  REQUIRE_MESSAGE(m.plan, m.errors);
  const Exchange* sum = m.exchange("s");
  REQUIRE(sum);
  CHECK(sum->statement == m.plan->pipelines.begin()->first);
  const Numbers sizes{{"n", 9}};
  const loop::Bindings in_step = filled(m, sizes), own = filled(m, sizes);
  const auto cuts = distribute::cut(*m.plan, {3}, sizes);
  CHECK(distribute::run_in_step(*m.plan, *cuts, in_step).astray == "");
  CHECK(run_on_threads(*m.compilation, *cuts, own.parameters, own.tensors).problem == "");
  CHECK(same(in_step.tensors.at("s"), own.tensors.at("s")));
}

TEST_CASE("what waits for a later block is refused, and a skew is offered where it helps") {
  const std::string ahead =
      "param n = 9\ntensor u(n, n)\nloops { for i in 1:n { for j in 1:n-1 { u(i,j) = u(i-1,j+1) + u(i,j-1) } } }\n";
  const Made m = made(ahead + pipeline(4));
  mentions(m.errors, "E0154 `pipeline j 4` would change the result");
  mentions(m.errors, "this would work: `skew i j 1`, then `pipeline j 4`");
  const Made skewed = made(ahead + "skew i j 1\n" + pipeline(4));
  REQUIRE_MESSAGE(skewed.plan, skewed.errors);
  const Numbers sizes{{"n", 9}};
  for (const std::int64_t ranks : {2, 4}) {
    const loop::Bindings alone = filled(skewed, sizes), own = filled(skewed, sizes);
    REQUIRE(!loop::interpret(skewed.plan->loops, alone).fault);
    const auto cuts = distribute::cut(*skewed.plan, {ranks}, sizes);
    CHECK(run_on_threads(*skewed.compilation, *cuts, own.parameters, own.tensors).problem == "");
    CHECK(same(own.tensors.at("u"), alone.tensors.at("u")));
  }
  // What a later block overwrites is still to be read.
  mentions(made("param n = 9\ntensor u(n, n)\nloops { for i in 1:n-1 { for j in 1:n { u(i,j) = u(i-1,j) + u(i+1,j-1) } "
                "} }\n" +
                pipeline(4))
               .errors,
           "E0154");
}

TEST_CASE("what is handed on in the first block alone is missing in the next") {
  Made m = made(alignment + pipeline(4));
  REQUIRE_MESSAGE(m.plan, m.errors);
  for (math::Domain& piece : m.plan->exchanges.front().sections)
    piece.constraints.push_back({math::Affine::name("#1"), math::Relation::less, math::Affine(4)});
  const Numbers sizes{{"n", 9}, {"m", 11}};
  const loop::Bindings own = filled(m, sizes);
  mentions(distribute::run_in_step(*m.plan, *distribute::cut(*m.plan, {3}, sizes), own).astray,
           "which it neither owns nor was sent");
}

TEST_CASE("a pipeline that has nothing to do is refused") {
  mentions(made("param n = 9\ntensor x(n, n)\ny(i,j) = 2*x(i,j)\norder i j\n" + pipeline(4)).errors,
           "E0154 `pipeline j 4` has nothing to do: no iterations wait for other ranks");
  mentions(made("param n = 9\ntensor x(n, n)\ny(i,j) = 2*x(i,j)\norder i j\npipeline j 4\n").errors,
           "E0154 `pipeline j 4` has nothing to do: no loop is dealt out");
  mentions(made("param n = 9\ntensor x(n, n)\ny(i,j) = 2*x(i,j)\norder i j\n" + along_p + "pipeline k 4\n").errors,
           "E0320");
  mentions(made(alignment + "ranks p q\ndistribute i over p\ndistribute j over q\npipeline j 4\n").errors,
           "E0154 `pipeline j 4` cannot be: the loop over j is dealt out itself");
}

TEST_CASE("blocks as long as a message takes") {
  const Made m = made(alignment + pipeline(256));
  REQUIRE_MESSAGE(m.plan, m.errors);
  const std::int64_t n = 100000;
  const auto cuts = distribute::cut(*m.plan, {64}, {{"n", n}, {"m", n}});
  const double seconds = 10;
  const distribute::Network network;
  const auto on_paper = distribute::forecast(*m.plan, *cuts, seconds, network);
  REQUIRE(on_paper);
  REQUIRE(on_paper->block);
  // sqrt(latency m / (n cell)), and a little more, as the first rank waits for nobody
  const double expected = std::sqrt(network.latency * static_cast<double>(n) / (seconds / static_cast<double>(n)));
  CHECK(static_cast<double>(*on_paper->block) == doctest::Approx(expected).epsilon(0.03));
  CHECK(on_paper->fill > 0);
}
