// Two orders side by side.
#include "engine/explore/lockstep.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using explore::StepPoint;
using explore::Trace;

namespace {

Trace::Step write_of(const char* tensor, tensor::Index index) {
  Trace::Step step;
  step.write = Trace::Touch{tensor, std::move(index), format::Value::of(format::ScalarType::f64, 1)};
  return step;
}

place::Fragments one_sum() {
  place::Fragments fragments;
  fragments.fragments.emplace_back();
  fragments.fragments[0].name = "tL1";
  fragments.fragments[0].domain.variables = {"i", "k"};
  return fragments;
}

StepPoint at(std::int64_t i, std::int64_t k) { return {0, {{"i", i}, {"k", k}}}; }

}  // namespace

TEST_CASE("lockstep: what stands at the same point of a fragment goes together, whatever the temporary has become") {
  const place::Fragments fragments = one_sum();
  Trace scalar, vector;
  scalar.steps = {write_of("tL1", {}), write_of("tL1", {}), write_of("tL1", {}), write_of("tL1", {})};
  vector.steps = {write_of("tL1", {0}), write_of("tL1", {1}), write_of("tL1", {0}), write_of("tL1", {1})};
  const std::vector<StepPoint> rows = {at(0, 0), at(0, 1), at(1, 0), at(1, 1)},
                               columns = {at(0, 0), at(1, 0), at(0, 1), at(1, 1)};
  const explore::Counterparts pairs = explore::counterparts({scalar, rows, fragments}, {vector, columns, fragments});
  CHECK(pairs == explore::Counterparts{0, 2, 1, 3});
  CHECK(explore::follow(pairs, 0) == 0);
  CHECK(explore::follow(pairs, 2) == 3);
  CHECK(explore::follow(pairs, 9) == 4);
}

TEST_CASE(
    "lockstep: without a fragment the element counts, each time it is written, and what nobody can tell is alone") {
  const place::Fragments fragments = one_sum();
  Trace one, other;
  one.steps = {write_of("y", {3}), write_of("y", {3}), Trace::Step{}, write_of("z", {})};
  other.steps = {write_of("y", {0}), write_of("y", {3}), write_of("y", {3})};
  const std::vector<StepPoint> unknown(4), unknown_there(3);
  const explore::Counterparts pairs =
      explore::counterparts({one, unknown, fragments}, {other, unknown_there, fragments});
  CHECK(pairs == explore::Counterparts{1, 2, std::nullopt, std::nullopt});
  CHECK(explore::follow(pairs, 4) == 3);
  // Only some indices of the fragment are known: it could be any of several.
  const std::vector<StepPoint> half = {StepPoint{0, {{"i", 0}}}};
  Trace first;
  first.steps = {write_of("tL1", {})};
  CHECK(explore::counterparts({first, half, fragments}, {first, half, fragments}) ==
        explore::Counterparts{std::nullopt});
}
