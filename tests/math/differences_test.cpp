#include "engine/math/differences.hpp"

#include <doctest/doctest.h>

#include <random>

#include "engine/math/relations.hpp"
#include "engine/math/solver.hpp"

using namespace trellis::math;

namespace {

const char* const names[] = {"i", "j", "k", "n"};
constexpr Relation relations[] = {Relation::less, Relation::less_equal,    Relation::equal,   Relation::less,
                                  Relation::less, Relation::greater_equal, Relation::greater, Relation::not_equal};

using Random = std::mt19937_64;

int below(Random& random, int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }

/// Mostly `x < y + 1`, now and then `2*x <= 7`, `x + y = 3` or `x mod 2 = 1`.
Constraint drawn(Random& random) {
  const Affine x = Affine::name(names[below(random, 4)]), y = Affine::name(names[below(random, 4)]);
  const Affine number(below(random, 7) - 3);
  const Relation relation = relations[below(random, 8)];
  switch (below(random, 12)) {
    case 0: return {2 * x, relation, 5 * number};
    case 1: return {x + y, relation, number};
    case 2: return {Affine::mod(x, 2), relation, 1};
    case 3: return {3 * x, relation, 3 * y + number};
    case 4: return {number, relation, x};
    default: return {x, relation, y + number};
  }
}

/// Between -20 and 20, so that there is a smallest point.
std::vector<Constraint> bounds() {
  std::vector<Constraint> all;
  for (const char* name : names) {
    all.push_back({-20, Relation::less_equal, Affine::name(name)});
    all.push_back({Affine::name(name), Relation::less_equal, 20});
  }
  return all;
}

}  // namespace

TEST_CASE("differences: what is told is what a general solver says") {
  Random random(20261128);
  int empty = 0, full = 0, untold = 0;
  for (int round = 0; round < 3000; ++round) {
    Domain domain{{"i", "j", "k"}, bounds()};
    Differences differences;
    for (int k = 3 + below(random, 7); k > 0; --k) domain.constraints.push_back(drawn(random));
    for (const Constraint& c : domain.constraints) differences.require(c);
    const auto told = differences.is_empty();
    Solver solver({});
    const bool is_empty = !solver.smallest(domain);  // which isl alone is asked about
    INFO(to_string(domain));
    if (told) CHECK(*told == is_empty);
    CHECK(solver.is_empty(domain) == is_empty);
    ++(!told ? untold : *told ? empty : full);
  }
  CHECK(empty > 500);
  CHECK(full > 300);
  CHECK(untold > 100);
}

TEST_CASE("differences: sets that are restricted are empty when a general solver says so") {
  Random random(20261129);
  for (int round = 0; round < 500; ++round) {
    Solver solver({{0, Relation::less_equal, Affine::name("n")}});
    Domain domain{{"i", "j", "k"}, bounds()};
    for (int k = 2 + below(random, 3); k > 0; --k) domain.constraints.push_back(drawn(random));
    Relations sets(solver);
    Relations::Id set = sets.add({domain});
    for (int k = 0; k < 3; ++k) {
      const int left = below(random, 3), right = below(random, 3);
      const Relation relation = relations[below(random, 8)];
      if (left == right) continue;
      set = sets.restrict(set, left, relation, right);
      domain.constraints.push_back({Affine::name(names[left]), relation, Affine::name(names[right])});
    }
    INFO(to_string(domain));
    CHECK(sets.is_empty(set) == !solver.smallest(domain));
  }
}

TEST_CASE("differences: numbers that are too large for sums of them are left to others") {
  Differences differences;
  const std::int64_t large = std::int64_t{1} << 62;
  differences.require({Affine::name("i"), Relation::less, Affine::name("j") + Affine(-large)});
  differences.require({Affine::name("j"), Relation::less, Affine::name("i") + Affine(-large)});
  CHECK_FALSE(differences.is_empty().has_value());
}
