#include <doctest/doctest.h>

#include "engine/math/relations.hpp"
#include "engine/math/solver.hpp"

using namespace trellis::math;

namespace {

Affine v(const char* name) { return Affine::name(name); }
Constraint le(Affine a, Affine b) { return {std::move(a), Relation::less_equal, std::move(b)}; }
Constraint lt(Affine a, Affine b) { return {std::move(a), Relation::less, std::move(b)}; }
Constraint eq(Affine a, Affine b) { return {std::move(a), Relation::equal, std::move(b)}; }
Constraint ne(Affine a, Affine b) { return {std::move(a), Relation::not_equal, std::move(b)}; }

const Domain triangle{{"i", "j"}, {le(0, v("j")), lt(v("j"), v("i")), lt(v("i"), v("n"))}};

std::string show(const std::optional<Assignment>& point) {
  if (!point) return "none";
  std::string out;
  for (const auto& [name, value] : *point) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return out;
}

}  // namespace

TEST_CASE("emptiness holds for all sizes and over the integers") {
  Solver solver({le(0, v("n"))});
  CHECK_FALSE(solver.is_empty(triangle));
  CHECK(solver.is_empty({{"i"}, {lt(v("i"), 0), lt(v("n"), v("i") + 1)}}));
  CHECK(solver.is_empty({{"i"}, {eq(2 * v("i"), 2 * v("n") + 1)}}));
  CHECK(solver.is_empty({{"i"}, {eq(v("i"), 3), ne(v("i"), 3)}}));
  CHECK_FALSE(solver.is_empty({{"i"}, {ne(v("i"), 3)}}));
}

TEST_CASE("div and mod mean floor and remainder") {
  Solver solver({});
  Affine i = v("i");
  CHECK(solver.equal({{"i"}, {}}, 4 * Affine::div(i, 4) + Affine::mod(i, 4), i));
  CHECK(solver.implies({{"i"}, {}}, lt(Affine::mod(i, 4), 4)));
  CHECK(solver.implies({{"i"}, {lt(i, 0)}}, lt(Affine::div(i, 4), 0)));
  CHECK_FALSE(solver.implies({{"i"}, {}}, eq(Affine::mod(i, 2), 0)));
}

TEST_CASE("gist leaves what the context does not give, as it was written") {
  Solver solver({});
  Domain context{{"i", "j"}, {le(0, v("j")), lt(v("i"), v("n"))}};
  CHECK(solver.gist(triangle, context) == std::vector<Constraint>{lt(v("j"), v("i"))});
}

TEST_CASE("projection is exact") {
  Solver solver({});
  auto onto_j = solver.project(triangle, {"j"});
  REQUIRE(onto_j.size() == 1);
  CHECK(solver.implies(onto_j[0], lt(v("j"), v("n") - 1)));
  CHECK(solver.implies({{"j"}, {le(0, v("j")), lt(v("j"), v("n") - 1)}}, onto_j[0].constraints[0]));
  auto even = solver.project({{"i", "k"}, {eq(v("i"), 2 * v("k"))}}, {"i"});
  REQUIRE(even.size() == 1);
  CHECK(solver.implies(even[0], eq(Affine::mod(v("i"), 2), 0)));
  CHECK_FALSE(solver.is_empty(even[0]));
}

TEST_CASE("the smallest point has the smallest sizes") {
  Solver solver({le(0, v("n"))});
  CHECK(show(solver.smallest(triangle)) == "n=2 i=1 j=0");
  CHECK(show(solver.smallest({{"i"}, {lt(v("i"), 0), le(0, v("i"))}})) == "none");
}

TEST_CASE("relations remember restrictions") {
  Solver solver({le(0, v("n"))});
  Relations relations(solver);
  auto set = relations.add({triangle});
  auto below = relations.restrict(set, 0, Relation::less, 1);
  CHECK(relations.is_empty(below));
  CHECK(relations.restrict(set, 0, Relation::less, 1) == below);
  auto above = relations.restrict(set, 0, Relation::not_equal, 1);
  CHECK(show(relations.smallest(above)) == "n=2 i=1 j=0");
}
