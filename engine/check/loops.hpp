#pragma once
// The reference for loop programs: actions carried out one by one, as the user wrote them, on dense tensors. Reductions
// are evaluated where they stand; nothing is moved, expanded or proven. Every index is checked.

#include "engine/check/evaluation.hpp"
#include "engine/lang/program.hpp"

namespace trellis::check {

/// What the loop program of `kernel` leaves. A problem stops it: an index out of range, a division by zero, or more
/// than
/// `most_steps` statements and iterations, since a loop may never end.
constexpr std::int64_t most_loop_steps = 200'000'000;
Evaluation evaluate_loops(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                          std::int64_t most_steps = most_loop_steps, const Interrupted& interrupted = {});

}  // namespace trellis::check
