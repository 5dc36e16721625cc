#include "engine/math/simplex.hpp"

#include <doctest/doctest.h>

#include <random>

#include "engine/math/relations.hpp"
#include "engine/math/solver.hpp"

using namespace trellis::math;

namespace {

int up_to(std::mt19937_64& random, int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }

Relation negation(Relation relation) {
  switch (relation) {
    case Relation::less: return Relation::greater_equal;
    case Relation::less_equal: return Relation::greater;
    case Relation::equal: return Relation::not_equal;
    case Relation::not_equal: return Relation::equal;
    case Relation::greater_equal: return Relation::less;
    case Relation::greater: return Relation::less_equal;
  }
  return relation;
}

std::optional<bool> has_no_solution(const std::vector<Row>& equalities, const std::vector<Row>& inequalities) {
  Simplex simplex;
  for (const Row& one : equalities) simplex.require(one, true);
  for (const Row& one : inequalities) simplex.require(one, false);
  return simplex.has_no_solution();
}

/// Loops over tiles and what is asked of them: `24*t <= i`, `i < 8*s + 8`, `(n + 7)/8 <= s`, `i mod 3 = 1`.
Constraint asked(std::mt19937_64& random) {
  const char* const unknowns[] = {"i", "j", "s", "t", "n"};
  constexpr Relation all[] = {Relation::less,          Relation::less_equal, Relation::equal,
                              Relation::greater_equal, Relation::greater,    Relation::not_equal};
  const std::int64_t sizes[] = {1, 1, 2, 3, 8, 24};
  const auto some = [&] { return Affine::name(unknowns[up_to(random, 5)], sizes[up_to(random, 6)]); };
  const Affine number(up_to(random, 41) - 20);
  const Relation relation = all[up_to(random, 6)];
  switch (up_to(random, 8)) {
    case 0: return {Affine::div(some() + number, 8), relation, some()};
    case 1: return {Affine::mod(some() + number, 3), relation, up_to(random, 3)};
    case 2: return {some() + some(), relation, some() + number};
    case 3: return {some(), relation, number};
    default: return {some(), relation, some() + number};
  }
}

}  // namespace

TEST_CASE("simplex: what fractions tell, and isl where they do not, is what isl alone says") {
  std::mt19937_64 random(20261130);
  int empty = 0, full = 0;
  for (int round = 0; round < 4000; ++round) {
    Domain domain{{"i", "j", "s", "t"}, {}};
    for (const char* name : {"i", "j", "s", "t", "n"}) {
      domain.constraints.push_back({-30, Relation::less_equal, Affine::name(name)});
      domain.constraints.push_back({Affine::name(name), Relation::less_equal, 30});
    }
    for (int k = 3 + up_to(random, 7); k > 0; --k) domain.constraints.push_back(asked(random));
    Solver solver({});
    INFO(to_string(domain));
    const bool is_empty = !solver.smallest(domain);  // which isl alone is asked about
    CHECK(solver.is_empty(domain) == is_empty);
    ++(is_empty ? empty : full);
  }
  CHECK(empty > 500);
  CHECK(full > 500);
}

TEST_CASE("simplex: what follows from premises that are solved once, and what does not, is what isl alone says") {
  std::mt19937_64 random(20261201);
  int follow = 0, open = 0;
  for (int round = 0; round < 600; ++round) {
    Domain domain{{"i", "j", "s", "t"}, {}};
    for (const char* name : {"i", "j", "s", "t"}) {
      domain.constraints.push_back({-30, Relation::less_equal, Affine::name(name)});
      domain.constraints.push_back({Affine::name(name), Relation::less_equal, 30});
    }
    for (int k = up_to(random, 6); k > 0; --k) domain.constraints.push_back(asked(random));
    Solver solver({});
    for (int question = 0; question < 8; ++question) {
      const Constraint also = asked(random);  // n is in no premise but those of some rounds
      Domain counterexamples = domain;
      counterexamples.constraints.push_back({also.left, negation(also.relation), also.right});
      counterexamples.constraints.push_back({-1000, Relation::less_equal, Affine::name("n")});
      counterexamples.constraints.push_back({Affine::name("n"), Relation::less_equal, 1000});
      INFO(to_string(domain), " => ", to_string(also));
      const bool follows = !solver.smallest(counterexamples);
      CHECK(solver.implies(domain, also) == follows);
      ++(follows ? follow : open);
    }
  }
  CHECK(follow > 500);
  CHECK(open > 500);
}

TEST_CASE("simplex: fractions that no integers stand for, unbounded unknowns and large numbers") {
  CHECK(has_no_solution({}, {}) == false);
  CHECK(has_no_solution({}, {{-1}}) == true);
  CHECK(has_no_solution({{-1, 2}}, {}) == true);                     // 2x = 1
  CHECK(has_no_solution({{0, 1, -1}}, {{-5, 1}}) == false);          // x = y, x >= 5
  CHECK(has_no_solution({}, {{-1, 2, 3}, {1, -2, -3}}) == false);    // 2x + 3y = 1
  CHECK(has_no_solution({}, {{-1, 6, 10}, {2, -6, -10}}) == false);  // 1 <= 6x + 10y <= 2
  CHECK(has_no_solution({}, {{-1, 6, 10}, {1, -6, -10}}) == true);   // 6x + 10y = 1
  CHECK(has_no_solution({}, {{0, 1, -1}, {-1, -1, 1}}) == true);     // y <= x < y
  CHECK(has_no_solution({}, {{-1, 3}, {2, -3}}) == true);            // 1 <= 3x <= 2
  const std::int64_t large = 3'000'000'000'000'000'019, other = 2'999'999'999'999'999'999;
  CHECK(has_no_solution({{-1, large, other, 7}}, {{0, other, -large, 5}}) != true);
}
