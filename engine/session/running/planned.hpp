#pragma once
// What a kernel runs as whose equations say nothing about order and loops: as they stand, or in another order, or reading
// copies of operands, whichever is estimated to take least with the tensors that the session holds now.

#include <memory>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// State::compilation, planned. Nothing is planned where an order or a loop step stands, or where no loop searches an
/// operand against its storage; without the data of those operands neither.
std::shared_ptr<const Compilation> planned(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

/// N0610, once: which operands the kernel reads from copies, and instead of what.
void tell_of_copies(State& state, const lang::Kernel& kernel, const Compilation& ran, text::Diagnostics& diagnostics);

}  // namespace trellis::session
