// Points of domains at given sizes, against their definition.
#include "engine/math/points.hpp"

#include <doctest/doctest.h>

using namespace trellis::math;

namespace {

Affine name(const char* text) { return Affine::name(text); }

std::vector<Point> points(const Domain& domain, const Assignment& sizes) {
  std::vector<Point> found;
  for_each_point(domain, sizes, [&](const Point& p) { found.push_back(p); });
  return found;
}

}  // namespace

TEST_CASE("points of a domain come in lexicographic order") {
  const Domain triangle{{"i", "j"},
                        {{0, Relation::less_equal, name("j")},
                         {name("j"), Relation::less, name("i")},
                         {name("i"), Relation::less, name("n")}}};
  // i has no lower bound by itself, so it starts at the limit; no j fits there.
  CHECK(points(triangle, {{"n", 3}}) == std::vector<Point>{{1, 0}, {2, 0}, {2, 1}});
  CHECK(points(triangle, {{"n", 1}}).empty());
  const Domain line{{"i", "j"},
                    {{0, Relation::less_equal, name("i")},
                     {name("i"), Relation::less, 3},
                     {name("i") + name("j"), Relation::equal, 2}}};
  CHECK(points(line, {}) == std::vector<Point>{{0, 2}, {1, 1}, {2, 0}});
}

TEST_CASE("points respect remainders, quotients, gaps and impossible sizes") {
  const Constraint low{0, Relation::less_equal, name("i")}, high{name("i"), Relation::less, 6};
  CHECK(points({{"i"}, {low, high, {Affine::mod(name("i"), 3), Relation::equal, 1}}}, {}) ==
        std::vector<Point>{{1}, {4}});
  CHECK(points({{"i"}, {low, {name("i"), Relation::less, Affine::div(name("n"), 2)}}}, {{"n", 5}}) ==
        std::vector<Point>{{0}, {1}});
  CHECK(points({{"i"}, {low, {name("i"), Relation::less, 3}, {name("i"), Relation::not_equal, 1}}}, {}) ==
        std::vector<Point>{{0}, {2}});
  CHECK(points({{"i"}, {low, high, {name("n"), Relation::less, 2}}}, {{"n", 2}}).empty());
  CHECK(points({{}, {}}, {}) == std::vector<Point>{{}});
}
