#include "engine/session/running/steps_taken.hpp"

#include <algorithm>

#include "engine/session/running/wrong_values.hpp"

namespace trellis::session {
namespace {

/// As many as the kernel takes unless its condition holds before.
std::int64_t steps_at_most(const lang::Kernel& kernel, const FinishedRun& finished) {
  const auto size = [&](const std::string& name) -> std::optional<std::int64_t> {
    const auto found = finished.before.parameters.find(name);
    return found == finished.before.parameters.end() ? std::nullopt : std::optional(found->second.as_integer());
  };
  return std::max<std::int64_t>(0, kernel.timesteps.front().count.evaluate(size).value_or(0));
}

/// Of what the condition reads, which is left as the last step had it.
std::optional<OddElement> nan_in(const lang::Expr& condition, const FinishedRun& finished) {
  if (const auto* access = condition.as<lang::Access>())
    if (const auto left = finished.after.find(access->tensor); left != finished.after.end())
      if (auto nan = first_nan(access->tensor, left->second)) return nan;
  std::optional<OddElement> found;
  lang::for_each_child(condition, [&](const lang::Expr& child) {
    if (!found) found = nan_in(child, finished);
  });
  return found;
}

}  // namespace

std::optional<Ran::Steps> steps_taken(const lang::Kernel& kernel, const FinishedRun& finished,
                                      std::int64_t ended_after) {
  if (!kernel.until) return std::nullopt;
  using End = Ran::Steps::End;
  Ran::Steps steps{ended_after > 0 ? End::met : End::not_met, 0, steps_at_most(kernel, finished)};
  steps.taken = ended_after > 0 ? ended_after : steps.most;
  auto odd = odd_element(kernel, finished);
  if (!odd) odd = nan_in(kernel.until->condition, finished);
  if (odd && steps.taken > 0) steps = {End::diverged, steps.taken, steps.most, to_string(*odd)};
  return steps;
}

std::string to_string(const Ran::Steps& steps) {
  const std::string most = std::to_string(steps.most);
  const std::string taken =
      std::to_string(steps.taken) + " of at most " + most + (steps.most == 1 ? " step" : " steps");
  if (steps.taken == 0) return "no step ran, as there are at most " + most;
  switch (steps.end) {
    case Ran::Steps::End::met: return taken + ", until its condition held";
    case Ran::Steps::End::diverged: return taken + ", which diverged: " + steps.place;
    case Ran::Steps::End::not_met: break;
  }
  return (steps.most == 1 ? "its only step" : "all " + most + " steps") + " ran; the condition of until was never met";
}

const char* name_of(Ran::Steps::End end) {
  switch (end) {
    case Ran::Steps::End::met: return "met";
    case Ran::Steps::End::not_met: return "not met";
    case Ran::Steps::End::diverged: return "diverged";
  }
  return "";
}

}  // namespace trellis::session
