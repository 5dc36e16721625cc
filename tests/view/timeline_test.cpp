// An execution as nested bands, and what a tensor stores as strips.
#include <doctest/doctest.h>

#include "engine/view/arrays.hpp"
#include "engine/view/timeline.hpp"

using namespace trellis;
using view::Timeline;

namespace {

explore::Trace::Step step(loop::LoopValues loops, bool early = false) {
  explore::Trace::Step out;
  out.loops = std::move(loops);
  out.reads.push_back({"x", {0}, format::Value::of(format::ScalarType::f64, 1), early});
  out.write = explore::Trace::Touch{"y", {0}, format::Value::of(format::ScalarType::f64, 1)};
  return out;
}

}  // namespace

TEST_CASE("iterations of loops are bands from their first step to their last, and violations are ticks") {
  explore::Trace trace;
  trace.steps = {step({{"i", 0}, {"j", 0}}), step({{"i", 0}, {"j", 1}}), step({{"i", 0}}),
                 step({{"i", 1}, {"j", 1}}, true)};
  const Timeline t = view::timeline_of(trace);
  CHECK(t.steps == 4);
  CHECK(t.bands == std::vector<Timeline::Band>{
                       {0, "i", 0, 0, 2}, {1, "j", 0, 0, 0}, {1, "j", 1, 1, 1}, {0, "i", 1, 3, 3}, {1, "j", 1, 3, 3}});
  CHECK(t.ticks.size() == 8);
  CHECK(t.ticks[6] == Timeline::Tick{3, "x", {0}, false, true});
  CHECK(t.ticks[7].write);
  CHECK(view::timeline_of({}).bands.empty());
}

TEST_CASE("stored arrays are cut at what is asked for, and say how many there are") {
  auto made = tensor::Tensor::create(format::ScalarType::f64, {3}, format::Format::dense(1),
                                     format::Value::of(format::ScalarType::f64, 2));
  REQUIRE(made);
  const view::StoredArrays arrays = view::stored_arrays("x", *made, 2);
  CHECK(arrays.value_count == 3);
  CHECK(arrays.values.size() == 2);
  REQUIRE(arrays.levels.size() == 1);
  CHECK(arrays.levels[0].size == 3);
  CHECK(arrays.levels[0].strips.empty());
}
