// What `narrow` may name.

#include <algorithm>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

/// A step that is a number, and so late that runs of steps would not know where its elements are (schedule/narrow.hpp).
std::optional<std::int64_t> late_step(const Kernel& kernel, const std::string& tensor) {
  for (const Equation& equation : kernel.equations) {
    const Access& left = equation.access();
    const auto step = left.tensor == tensor && left.step ? affine(*left.step) : std::nullopt;
    if (step && step->is_constant() && step->constant >= 512) return step->constant;
  }
  return std::nullopt;
}

}  // namespace

bool may_be_narrow(Resolution& resolution, const Kernel& kernel, bool complete, const syntax::Word& tensor) {
  if (std::ranges::find(kernel.timesteps, tensor.text, &Timesteps::tensor) == kernel.timesteps.end()) {
    if (complete)
      resolution.error("E0347", tensor.span, tensor.text + " has no timesteps in " + kernel.name,
                       "steps are what is kept narrow, as those of H[d](i) = max(H[d-1](i), …)");
    return false;
  }
  const auto late = late_step(kernel, tensor.text);
  if (!late) return true;
  resolution.error(
      "E0162", tensor.span,
      tensor.text + " cannot be narrowed: an equation defines step " + std::to_string(*late) + " by itself",
      "steps that are numbers are below 512");
  return false;
}

}  // namespace trellis::lang::resolving
