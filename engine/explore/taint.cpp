#include "engine/explore/taint.hpp"

#include <algorithm>

namespace trellis::explore {
namespace {

using Held = std::map<tensor::Index, Taint>;  // of the elements that are written

}  // namespace

const char* name_of(Taint taint) {
  switch (taint) {
    case Taint::none: return "right";
    case Taint::stale: return "of values that were not complete";
    case Taint::undefined: return "undefined";
  }
  return "";
}

std::vector<Taint> taints(const Trace& trace, const std::set<std::string>& defined) {
  std::vector<Taint> all;
  std::map<std::string, Held> held;
  for (const Trace::Step& step : trace.steps) {
    if (!step.starts.empty()) held[step.starts].clear();
    Taint worst = Taint::none;
    for (const Trace::Touch& read : step.reads) {
      const Held& of = held[read.tensor];
      read.each_element([&](const tensor::Index& element) {
        const auto known = of.find(element);
        if (known != of.end()) worst = std::max(worst, known->second);
        const bool has_value = known != of.end() || defined.contains(read.tensor);
        if (read.early) worst = std::max(worst, has_value ? Taint::stale : Taint::undefined);
      });
    }
    if (step.write)
      step.write->each_element([&](const tensor::Index& element) { held[step.write->tensor][element] = worst; });
    all.push_back(worst);
  }
  return all;
}

}  // namespace trellis::explore
