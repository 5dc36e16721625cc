#pragma once
// From a kernel's `distribute` commands to its plan (plan.hpp): who has what, who computes, whether that may be, what
// is sent.

#include "engine/distribute/plan.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// The kernel's `distribute` and `pipeline` commands, of which there is one, on its loops after all steps of the
/// schedule. Empty when one is refused, which is reported (E0151, E0152, E0153, E0154).
std::optional<Plan> plan(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                         math::Solver& solver, text::Diagnostics& diagnostics);

}  // namespace trellis::distribute
