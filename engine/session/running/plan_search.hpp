#pragma once
// The search for a plan: what a kernel could run as, each compiled and estimated, of which the least is taken.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The best plan that was found, with all that were looked at. `written`: of the equations as they stand; `lists`:
/// inverse lists of index tensors may be walked. The kernel is open to planning (planned.hpp).
Plan search_plan(State& state, const lang::Kernel& kernel, Plan written, bool lists);

/// Whether all of these index tensors' values are indices of what they choose from.
bool are_within(State& state, const std::vector<plan::Within>& all);

}  // namespace trellis::session
