#include "engine/explore/walks_around.hpp"

#include <algorithm>

namespace trellis::explore {
namespace {

bool begins_with(const flow::LoopValues& values, const flow::LoopValues& first, std::size_t count) {
  return values.size() >= count &&
         std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count), values.begin());
}

}  // namespace

std::vector<std::size_t> steps_around(const LatticeTrace& trace, std::size_t step) {
  std::vector<std::size_t> found;
  const flow::LoopValues& around = trace.steps[step].around;
  std::size_t inside = around.size();
  for (std::size_t k = step; k-- > 0 && inside > 0;) {
    const LatticeStep& other = trace.steps[k];
    const std::size_t depth = other.around.size();
    const bool is_around = other.coordinate && depth < inside && begins_with(around, other.around, depth) &&
                           around[depth].second == *other.coordinate;
    if (is_around) found.push_back(k), inside = depth;
  }
  std::ranges::reverse(found);
  return found;
}

std::map<tensor::Index, format::Value> written_since_around(const LatticeTrace& trace, std::size_t taken,
                                                            const std::string& tensor) {
  std::map<tensor::Index, format::Value> written;
  if (taken == 0) return written;
  const flow::LoopValues& around = trace.steps[taken - 1].around;
  const std::size_t depth = around.empty() ? 0 : around.size() - 1;
  std::size_t first = taken - 1;
  while (first > 0 && begins_with(trace.steps[first - 1].around, around, depth)) --first;
  using Kind = LatticeStep::Touch::Kind;
  for (std::size_t k = first; k < taken; ++k)
    for (const LatticeStep::Touch& touch : trace.steps[k].touches)
      if (touch.tensor == tensor && touch.value &&
          (touch.kind == Kind::writes || touch.kind == Kind::inserts || touch.kind == Kind::appends))
        written.insert_or_assign(touch.index, *touch.value);
  return written;
}

}  // namespace trellis::explore
