#pragma once
// What a kernel runs as whose equations say nothing about order and loops: as they stand, in another order, reading
// copies of operands, with several iterations at once, or with products in steps, whichever is estimated to take least
// with the tensors that the session holds now.

#include <memory>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The operand of which a plan has this tensor laid out; null where the program has the tensor itself.
const lang::TensorInfo* laid_out_of(const State& state, const lang::TensorInfo& tensor);

/// Null where nothing is planned: an order or a loop step stands, or the kernel is wrong. What takes less than planning
/// runs as it is written.
const Plan* plan_for(State& state, const lang::Kernel& kernel);

/// State::compilation of what is planned.
std::shared_ptr<const Compilation> planned(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

/// N0610, once: which operands the kernel reads from copies, and instead of what; N0612 of which index tensors it walks
/// the lists.
void tell_of_laid_out(State& state, const lang::Kernel& kernel, const Compilation& ran, text::Diagnostics& diagnostics);
/// N0611, once: in which steps it is computed; N0613: of which loop several iterations run at once, or N0615: which
/// block stays in registers; N0614: in what other workspace than usual a result is collected.
void tell_of_steps(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);
void tell_of_loop_steps(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);
void tell_of_workspaces(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::session
