#pragma once
// After a run: what would have been much cheaper, once for each kernel.

#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// N0608: a large matrix that nobody declared is dense, and nearly all of it is its fill. The fix, csr, has compiled,
/// and is estimated to take no longer.
void hint_at_sparse_results(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                            text::Diagnostics& diagnostics);

/// N0609: what the jit took so long for that the C compiler pays.
void hint_at_native(State& state, const lang::Kernel& kernel, const Compilation& compilation, double run_ms,
                    text::Diagnostics& diagnostics);

}  // namespace trellis::session
