// When a pointer may go on from where it stood: the examples of docs/design/layouts.md#proofs, by isl and by Z3.
#include "engine/find/prove.hpp"

#include <doctest/doctest.h>

#include "engine/find/provers.hpp"

namespace trellis::find {
namespace {

using Way = Loop::Way;

Loop over(const std::string& variable, Way way = Way::up) { return {variable, number(0), name("n_" + variable), way}; }

Query query(std::vector<Loop> loops, Term asked, std::vector<Term> fiber = {}) {
  return {std::move(loops), {}, std::move(fiber), std::move(asked), {}};
}

/// x(p(i)), by one loop.
Query gather(const format::Promises& promises, Way way = Way::up, Term index = name("i")) {
  Query q = query({over("i", way)}, applied("p", {std::move(index)}));
  q.promises["p"] = promises;
  return q;
}

TEST_CASE("finds of affine coordinates: what rises is proven, what falls has two iterations that tell") {
  CHECK(never_falls(query({over("i")}, name("i")), 0).verdict == Verdict::proven);
  CHECK(never_falls(query({over("i")}, quotient(name("i"), 2)), 0).verdict == Verdict::proven);
  CHECK(never_falls(query({over("i", Way::down)}, scaled(-1, name("i"))), 0).verdict == Verdict::proven);
  CHECK(never_falls(query({over("i", Way::any)}, name("i")), 0).verdict == Verdict::refuted);
  // b in y(i) += A(i,j)*b(j): rises while i stands still.
  const Query vector = query({over("i"), over("j")}, name("j"));
  CHECK(never_falls(vector, 1).verdict == Verdict::proven);
  const Answer restarts = never_falls(vector, 0);
  CHECK(restarts.verdict == Verdict::refuted);
  CHECK(in_words(*restarts.example) == "asked for 1 at i=0, j=1, then for 0 at i=1, j=0");
  // Rows of their own never ask twice; rows that two iterations share do.
  CHECK(never_falls(query({over("i"), over("j")}, name("j"), {name("i")}), 0).verdict == Verdict::proven);
  CHECK(never_falls(query({over("i"), over("j")}, name("j"), {quotient(name("i"), 2)}), 0).verdict == Verdict::refuted);
}

TEST_CASE("finds: Z3 is there, without which what needs it is not tested") {
  CHECK_MESSAGE(has_prover_of_functions(), "install libz3-dev, and configure anew");
}

TEST_CASE("finds by index tensors: what is promised of them decides") {
  if (!has_prover_of_functions()) return;
  format::Promises sorted, strictly, decreasing;
  sorted.sorted = true;
  strictly.sorted = strictly.strictly = true;
  decreasing.decreasing = true;
  CHECK(never_falls(gather(sorted), 0).verdict == Verdict::proven);
  CHECK(never_falls(gather(decreasing, Way::down), 0).verdict == Verdict::proven);
  CHECK(never_falls(gather(sorted, Way::up, quotient(name("i"), 3)), 0).verdict == Verdict::proven);
  CHECK(never_falls(gather(sorted, Way::down), 0).verdict == Verdict::refuted);
  const Answer free = never_falls(gather({}), 0);
  CHECK(free.verdict == Verdict::refuted);
  CHECK(free.by == "Z3");
  REQUIRE(free.example);
  CHECK(free.example->asked_first > free.example->asked_second);
  CHECK(free.example->values.size() == 2);
  CHECK(free.milliseconds < 2000);
  // p(i) + p(j), and p(p(i)) of a sorted p, rise as well; p(i) - j does not.
  Query twice = gather(sorted, Way::up, applied("p", {name("i")}));
  CHECK(never_falls(twice, 0).verdict == Verdict::proven);
  Query less = query({over("i"), over("j")}, sum({applied("p", {name("i")}), scaled(-1, name("j"))}));
  less.promises["p"] = strictly;
  CHECK(never_falls(less, 1).verdict == Verdict::refuted);
}

TEST_CASE("finds: both provers say the same of affine questions") {
  if (!has_prover_of_functions()) return;
  const Term i = name("i"), j = name("j");
  const Term asked[] = {
      i, j, sum({i, j}), sum({scaled(2, i), scaled(-1, j)}), quotient(sum({i, j}), 2), remainder(j, 2)};
  const std::vector<Term> fibers[] = {{}, {i}, {quotient(i, 2)}, {remainder(i, 2)}};
  for (const Term& one : asked)
    for (const auto& fiber : fibers)
      for (const Way way : {Way::up, Way::down, Way::any})
        for (std::size_t same = 0; same < 2; ++same) {
          const Query q = query({over("i"), over("j", way)}, one, fiber);
          CAPTURE(to_string(q));
          const Answer isl = never_falls_by_isl(q, same), z3 = never_falls_by_z3(q, same);
          CHECK((isl.verdict == z3.verdict || z3.verdict == Verdict::unknown));
        }
}

TEST_CASE("finds: what was asked before is known") {
  const Query q = query({over("a")}, scaled(3, name("a")));
  never_falls(q, 0);
  CHECK(never_falls(q, 0).cached);
}

}  // namespace
}  // namespace trellis::find
