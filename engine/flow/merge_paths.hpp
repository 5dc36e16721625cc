#pragma once
// Parallel loops whose threads get as many entries each (`parallel A`, schedule/deal_out.hpp): what holds of the loops
// they have become, so that a thread may begin and end within a row. Where iterations count what they append, rows
// are dealt out whole, and need not be walked.
//
//   loop i in 0:n parallel by A.2 { coiterate j { lead pA at A.2 below [i] … } }

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// The flow; empty, and E0150 at the kernel's `parallel`, where entries cannot be dealt out.
std::optional<Flow> check_merge_paths(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
