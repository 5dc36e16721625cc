#include "engine/explore/lockstep.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace trellis::explore {
namespace {

/// Fragment or tensor, where in it, and how many steps have done that before.
using Deed = std::tuple<std::string, text::Point, tensor::Index, std::size_t>;

/// By step; empty where it cannot be told from others: a point that elements do not tell, or nothing is written.
std::vector<std::optional<Deed>> deeds_of(const Execution& execution) {
  std::vector<std::optional<Deed>> deeds(execution.trace.steps.size());
  std::map<Deed, std::size_t> times;
  for (std::size_t k = 0; k < deeds.size(); ++k) {
    const auto& write = execution.trace.steps[k].write;
    const StepPoint at = k < execution.points.size() ? execution.points[k] : StepPoint{};
    Deed deed;
    if (at.fragment >= 0) {
      const place::Fragment& fragment = execution.fragments.fragments[static_cast<std::size_t>(at.fragment)];
      if (at.point.size() != fragment.domain.variables.size()) continue;
      deed = {fragment.name, at.point, {}, 0};
    } else if (write) {
      deed = {write->tensor, {}, write->index, 0};
    } else {
      continue;
    }
    const std::size_t before = times[deed]++;
    std::get<std::size_t>(deed) = before;
    deeds[k] = std::move(deed);
  }
  return deeds;
}

}  // namespace

Counterparts counterparts(const Execution& one, const Execution& other) {
  std::map<Deed, std::size_t> there;
  const auto others = deeds_of(other);
  for (std::size_t k = 0; k < others.size(); ++k)
    if (others[k]) there.emplace(*others[k], k);
  Counterparts result;
  for (const auto& deed : deeds_of(one)) {
    const auto found = deed ? there.find(*deed) : there.end();
    result.push_back(found == there.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

std::size_t follow(const Counterparts& counterparts, std::size_t done) {
  for (std::size_t k = std::min(done, counterparts.size()); k-- > 0;)
    if (counterparts[k]) return *counterparts[k] + 1;
  return 0;
}

}  // namespace trellis::explore
