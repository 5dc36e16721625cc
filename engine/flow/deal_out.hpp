#pragma once
// Parallel loops whose threads get as many entries each (`parallel A`, schedule/deal_out.hpp): what holds of the loops
// they have become, so that a thread may begin and end within a row.
//
//   loop i in 0:n parallel by A.2 { coiterate j { lead pA at A.2 below [i] … } }

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// The walk along a row of such a loop; null where the loop does not go through all rows, or something else is done for
/// them than walk along one each.
const Coiterate* dealt_walk(const Flow& flow, const Stmt& loop);

/// The flow; empty, and E0150 at the kernel's `parallel`, where entries cannot be dealt out.
std::optional<Flow> check_dealt(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
