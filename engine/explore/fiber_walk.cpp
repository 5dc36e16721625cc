#include "engine/explore/fiber_walk.hpp"

#include <algorithm>

#include "engine/math/division.hpp"

namespace trellis::explore {
namespace {

bool same_walk(const LatticeStep& a, const LatticeStep& b) { return a.lattice == b.lattice && a.around == b.around; }

}  // namespace

FiberWalk walk_of_step(const LatticeTrace& trace, std::size_t step) {
  FiberWalk walk{step, step + 1, {}};
  // Walks of loops inside stand between the steps of this one.
  const auto within = [&](const LatticeStep& other) {
    const auto& around = trace.steps[step].around;
    return other.around.size() > around.size() && std::equal(around.begin(), around.end(), other.around.begin());
  };
  const auto belongs = [&](std::size_t k) {
    return same_walk(trace.steps[k], trace.steps[step]) || within(trace.steps[k]);
  };
  while (walk.first > 0 && belongs(walk.first - 1)) --walk.first;
  while (walk.end < trace.steps.size() && belongs(walk.end)) ++walk.end;
  for (std::size_t k = walk.first; k < walk.end; ++k) {
    if (!same_walk(trace.steps[k], trace.steps[step])) continue;
    for (const LatticeStep::Cursor& cursor : trace.steps[k].cursors) {
      auto fiber = std::ranges::find(walk.fibers, cursor.operand, &FiberWalk::Fiber::operand);
      if (fiber == walk.fibers.end()) fiber = walk.fibers.insert(fiber, {cursor.operand, cursor.begin, cursor.end, {}});
      fiber->begin = std::min(fiber->begin, cursor.begin), fiber->end = std::max(fiber->end, cursor.end);
      for (std::size_t e = 0; e < cursor.stored.size(); ++e) {
        const std::int64_t last = cursor.stored[e];
        if (last == flow::no_key) continue;
        fiber->entries[cursor.first + static_cast<std::int64_t>(e)] = {cursor.starts.empty() ? last : cursor.starts[e],
                                                                       last};
      }
    }
  }
  return walk;
}

bool writes(const LatticeStep& step) {
  using Kind = LatticeStep::Touch::Kind;
  return std::ranges::any_of(step.touches, [](const LatticeStep::Touch& touch) {
    return touch.kind == Kind::writes || touch.kind == Kind::inserts || touch.kind == Kind::appends;
  });
}

std::optional<std::int64_t> loop_coordinate(const access::Inverse& inverse, std::int64_t stored,
                                            const LatticeStep& step,
                                            const std::map<std::string, format::Value>& parameters) {
  const auto offset = inverse.offset.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    for (const auto& [loop, value] : step.around)
      if (loop == name) return value;
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::nullopt : std::optional(found->second.as_integer());
  });
  if (!offset) return std::nullopt;
  const std::int64_t times = stored * inverse.stretch, moved = inverse.reversed ? *offset - times : *offset + times;
  if (math::floor_mod(moved, inverse.stride) >= inverse.width) return std::nullopt;
  return math::floor_div(moved, inverse.stride);
}

}  // namespace trellis::explore
