#pragma once
// What commands that show or measure results run first: the kernels that have not run as they are now, at the present
// sizes and on the present data. Without that, a result would read as zeros that nobody computed, or as that of other
// data.

#include <vector>

#include "engine/session/command/commands.hpp"

namespace trellis::session {

/// Runs the kernels whose results these read and that nobody has put anything into, and then those of these that have
/// not run, whatever the data was; says so (N0602). False is reported, in `exit` as well.
bool run_unfinished(State&, const std::vector<lang::Kernel>& wanted, Words&, Exit& exit);

/// The same without the kernel itself, which is about to run, and with those that had run on other data.
bool run_operands_of(State&, const lang::Kernel&, Words&, Exit& exit);

/// The same for what computes the tensor, if anything does, unless something newer was put into it. Warns (W0601) of a
/// result of which no equation defines any element.
bool compute(State&, const lang::TensorInfo&, Words&, Exit& exit);

/// What the tensor holds then; null is reported. `info` is no part of the program, which a run may renew.
const tensor::Tensor* computed(State&, const lang::TensorInfo& info, Words&, Exit& exit);

}  // namespace trellis::session
