// Iterations of an equation as a plane.
#include "engine/view/iterations.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using view::Iterations;

namespace {

explore::StepPoint at(int fragment, text::Point point) { return {fragment, std::move(point)}; }

}  // namespace

TEST_CASE("iterations: rows and columns are the equation's own, a third index is counted at its place") {
  // order j i k of V(i,j) = max(k)(…): fragment 0 accumulates, 1 writes
  std::vector<explore::StepPoint> points;
  for (std::int64_t j = 1; j < 3; ++j)
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t k = 0; k < 3; ++k) points.push_back(at(0, {{"i", i}, {"j", j}, {"k", k}}));
      points.push_back(at(1, {{"i", i}, {"j", j}}));
    }
  points.push_back(at(2, {{"i", 5}, {"j", 5}}));
  const Iterations all = view::iterations_of(points, {{"i", "j", "k"}, {0, 1}});
  REQUIRE(all.places.size() == 4);
  CHECK(all.places[1] == Iterations::Place{1, 1, {4, 5, 6, 7}});
  CHECK(all.places[2] == Iterations::Place{0, 2, {8, 9, 10, 11}});
  CHECK(all.rows() == 2);
  CHECK(all.columns() == 2);
  CHECK(all.first_column == 1);
  CHECK(all.place_of_step[7] == 1);
  CHECK(all.place_of_step.back() == -1);
  CHECK(all.path == std::vector<Iterations::Leg>{{0, 1, 4}, {1, 2, 8}, {2, 3, 12}});
  REQUIRE(all.at(1, 2));
  CHECK(all.at(1, 2)->steps.front() == 12);
  CHECK(all.at(5, 5) == nullptr);
}

TEST_CASE("iterations: one index is a line, and of more than three the others are held") {
  const Iterations line = view::iterations_of({at(0, {{"i", 3}}), at(0, {{"i", 4}})}, {{"i"}, {0}});
  CHECK_FALSE(line.plane());
  CHECK(line.rows() == 1);
  CHECK(line.last_column == 4);
  std::vector<explore::StepPoint> points;
  for (std::int64_t l = 0; l < 2; ++l) points.push_back(at(0, {{"i", 0}, {"j", 0}, {"k", 0}, {"l", l}}));
  CHECK(view::slices_of(points, {{"i", "j", "k", "l"}, {0}}) == std::vector<text::Point>{{{"l", 0}}, {{"l", 1}}});
  CHECK(view::slices_of(points, {{"i", "j", "k"}, {0}}).empty());
  const Iterations slice = view::iterations_of(points, {{"i", "j", "k", "l"}, {0}}, {{"l", 1}});
  REQUIRE(slice.places.size() == 1);
  CHECK(slice.places[0].steps == std::vector<std::size_t>{1});
}

TEST_CASE("iterations: steps without a fragment stand in their loops") {
  explore::Trace trace;
  explore::Trace::Step step;
  step.statement = 7;
  step.loops = {{"i", 2}};
  trace.steps = {step, step};
  const auto points = view::points_or_loops(trace, {at(0, {{"j", 1}})});
  CHECK(points[0].fragment == 0);
  CHECK(points[1].fragment == view::statement_equation(7));
  CHECK(points[1].point == text::Point{{"i", 2}});
}
