// Blocks that ranks take in turn: whose they are, what is sent, what is refused, and the bits of one rank.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/distribute/agreement.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

using distribute::Numbers;

std::string in_turns(int ranks, int block) {
  return "ranks p(" + std::to_string(ranks) + ")\ndistribute i over p cyclic " + std::to_string(block) + "\n";
}

const std::string shortest_paths =
    "param n = 10\ntensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j)) : k < n\norder k i j\n";
const std::string lu =
    "param n = 10\ntensor A(n, n)\nloops { for k in 0:n { for i in k+1:n { A(i,k) = A(i,k) / (A(k,k) + 1000)\n"
    "for j in k+1:n { A(i,j) -= A(i,k)*A(k,j) } } } }\n";

}  // namespace

TEST_CASE("cyclic: rows that are fixed by a loop around come from the rank whose turn they are") {
  for (const std::string& program : {shortest_paths, lu})
    for (const int block : {1, 2, 3, 16})
      for (const int ranks : {1, 2, 3, 5}) {
        CAPTURE(program);
        CAPTURE(block);
        CAPTURE(ranks);
        const Made m = made(program + in_turns(ranks, block));
        REQUIRE_MESSAGE(m.plan, m.errors);
        for (const distribute::Exchange& e : m.plan->exchanges) CHECK(e.pattern == "from one");
        for (const std::int64_t n : {1, 7, 10}) agrees_everywhere(m, ranks, {{"n", n}});
      }
}

TEST_CASE("cyclic: whose a block is stands in the plan and its loops") {
  const Made m = made(lu + in_turns(2, 3));
  REQUIRE_MESSAGE(m.plan, m.errors);
  const auto cuts = distribute::cut(*m.plan, {2}, {{"n", 10}});
  const std::string text = distribute::print(*m.plan, &*cuts);
  mentions(text, "0:n over p: blocks of 3 in turn");
  mentions(text, "# over p: (i/3)%2 = at_p");
}

TEST_CASE("cyclic: later rows of a factorisation are shared evenly, where one part each leaves the first ranks idle") {
  const auto rows_left = [](const Made& m, std::int64_t from) {
    const auto cuts = distribute::cut(*m.plan, {4}, {{"n", 64}});
    std::int64_t most = 0;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const Numbers numbers = distribute::numbers_of(*m.plan, *cuts, rank);
      std::int64_t own = 0;
      for (std::int64_t row = from; row < 64; ++row) own += distribute::has(m.plan->partitions.front(), numbers, row);
      most = std::max(most, own);
    }
    return most;
  };
  const Made turns = made(lu + in_turns(4, 2)), parts = made(lu + along_p);
  REQUIRE_MESSAGE(turns.plan, turns.errors);
  REQUIRE_MESSAGE(parts.plan, parts.errors);
  CHECK(rows_left(turns, 48) == 4);
  CHECK(rows_left(parts, 48) == 16);
}

TEST_CASE("cyclic: neighbours and all rows of others are refused, and ranks without a number") {
  const std::string vectors = "param n = 10\ntensor x(n)\ntensor y(n)\n";
  mentions(made(vectors + "y(i) = x(i-1) : 1 <= i\n" + in_turns(2, 2)).errors,
           "E0155 blocks cannot go to ranks in turn");
  mentions(made("param n = 10\ntensor A(n, n)\ntensor x(n)\ny(i) = sum(j)(A(i,j) * x(j))\n" + in_turns(2, 2)).errors,
           "E0155");
  mentions(made(vectors + "y(i) = 2*x(i)\nranks p\ndistribute i over p cyclic 2\n").errors, "`ranks p(4)`");
  const Made own = made(vectors + "y(i) = 2*x(i)\n" + in_turns(3, 2));
  REQUIRE_MESSAGE(own.plan, own.errors);
  CHECK(own.plan->exchanges.empty());
  agrees_everywhere(own, 3, {{"n", 10}});
}
