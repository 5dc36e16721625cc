#include "engine/explore/fiber_walk.hpp"

#include <doctest/doctest.h>

#include "engine/explore/walks_around.hpp"

namespace trellis::explore {
namespace {

LatticeStep step_at(int lattice, flow::LoopValues around, std::optional<std::int64_t> coordinate,
                    std::vector<LatticeStep::Cursor> cursors) {
  LatticeStep step;
  step.lattice = lattice;
  step.around = std::move(around);
  step.coordinate = coordinate;
  step.cursors = std::move(cursors);
  return step;
}

}  // namespace

TEST_CASE("fiber walk: entries of all steps of one iteration of the loops around, and of no other") {
  LatticeTrace trace;
  trace.steps.push_back(step_at(
      1, {{"i", 0}}, 2, {{.operand = 0, .at = 0, .begin = 0, .end = 3, .here = true, .first = 0, .stored = {2, 5}}}));
  trace.steps.push_back(
      step_at(2, {{"i", 0}, {"j", 2}}, 9, {{.operand = 0, .at = 0, .begin = 0, .end = 1, .first = 0, .stored = {9}}}));
  trace.steps.push_back(step_at(
      1, {{"i", 0}}, 7, {{.operand = 0, .at = 2, .begin = 0, .end = 3, .here = true, .first = 1, .stored = {5, 7}}}));
  trace.steps.push_back(step_at(
      1, {{"i", 1}}, 4, {{.operand = 0, .at = 3, .begin = 3, .end = 4, .here = true, .first = 3, .stored = {4}}}));
  const FiberWalk walk = walk_of_step(trace, 0);
  CHECK(walk.first == 0);
  CHECK(walk.end == 3);
  REQUIRE(walk.fibers.size() == 1);
  const std::map<std::int64_t, FiberWalk::Fiber::Entry> expected{{0, {2, 2}}, {1, {5, 5}}, {2, {7, 7}}};
  CHECK(walk.fibers[0].entries == expected);
  CHECK(walk_of_step(trace, 3).first == 3);
  CHECK(walk_of_step(trace, 1).fibers[0].entries.at(0).last == 9);
}

TEST_CASE("walks around: where the loops around stand, and what a workspace has been given since they went on") {
  using Kind = LatticeStep::Touch::Kind;
  const auto value = [](double number) { return format::Value::of(format::ScalarType::f64, number); };
  LatticeTrace trace;
  trace.steps = {step_at(1, {{"i", 0}}, 2, {}),          step_at(2, {{"i", 0}, {"k", 2}}, 5, {}),
                 step_at(1, {{"i", 1}}, 3, {}),          step_at(2, {{"i", 1}, {"k", 3}}, 5, {}),
                 step_at(1, {{"i", 1}}, 4, {}),          step_at(2, {{"i", 1}, {"k", 4}}, 6, {}),
                 step_at(2, {{"i", 1}, {"k", 4}}, 7, {})};
  trace.steps[1].touches = {{Kind::writes, "w", {5}, 0, value(1)}};
  trace.steps[3].touches = {{Kind::reads, "w", {9}, 0, value(8)}, {Kind::writes, "w", {5}, 0, value(2)}};
  trace.steps[5].touches = {{Kind::inserts, "w", {6}, 0, value(3)}};
  CHECK(steps_around(trace, 6) == std::vector<std::size_t>{4});
  CHECK(steps_around(trace, 1) == std::vector<std::size_t>{0});
  CHECK(steps_around(trace, 4).empty());
  const std::map<tensor::Index, format::Value> held{{{5}, value(2)}, {{6}, value(3)}};
  CHECK(written_since_around(trace, 7, "w") == held);
  CHECK(written_since_around(trace, 2, "w").size() == 1);
  CHECK(written_since_around(trace, 0, "w").empty());
}

TEST_CASE("fiber walk: what is stored under a shifted, reversed or sliced index has a coordinate of the loop") {
  const LatticeStep step = step_at(0, {{"i", 3}}, {}, {});
  const std::map<std::string, format::Value> sizes{{"n", format::Value::of_integer(format::ScalarType::i64, 10)}};
  access::Inverse shifted;
  shifted.offset = math::Affine::name("i") + math::Affine(-1);
  CHECK(loop_coordinate(shifted, 4, step, sizes) == 6);
  access::Inverse reversed;
  reversed.reversed = true;
  reversed.offset = math::Affine::name("n") + math::Affine(-1);
  CHECK(loop_coordinate(reversed, 4, step, sizes) == 5);
  access::Inverse sliced;
  sliced.stride = 2;
  CHECK(loop_coordinate(sliced, 6, step, sizes) == 3);
  CHECK_FALSE(loop_coordinate(sliced, 5, step, sizes));
  shifted.offset = math::Affine::name("m");
  CHECK_FALSE(loop_coordinate(shifted, 4, step, sizes));
}

TEST_CASE("fiber walk: what is found and read does not change the result, what is appended does") {
  LatticeStep step;
  step.touches = {{.kind = LatticeStep::Touch::Kind::reads, .tensor = "a", .index = {1}}};
  CHECK_FALSE(writes(step));
  step.touches.push_back({.kind = LatticeStep::Touch::Kind::appends, .tensor = "y", .index = {1}});
  CHECK(writes(step));
}

}  // namespace trellis::explore
