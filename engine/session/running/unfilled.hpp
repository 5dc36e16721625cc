#pragma once
// Operands that nothing filled: a kernel takes them for what they are declared to be, which is hardly what was meant.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Is one of the operands, which are in memory, all zeros because no command filled it and no kernel computes it?
bool has_unfilled(State& state, const lang::Kernel& kernel);

/// W0604 for each operand of zeros that no command fills and no kernel computes, once in a session.
void warn_of_unfilled(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::session
