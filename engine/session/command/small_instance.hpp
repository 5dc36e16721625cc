#pragma once
// Data for the example of an exported kernel: what the session has where that is little, else small random tensors.

#include "engine/check/evaluation.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Tensors and parameters that the kernel, which was compiled to this, can run on. Empty is reported.
std::optional<check::State> small_instance(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                                           text::Span at, text::Diagnostics& diagnostics);

}  // namespace trellis::session
