#pragma once
// What an absent operand makes of an instruction (absence.hpp).

#include "engine/check/code.hpp"

namespace trellis::check {

/// Puts the result into its register if an absent operand settles it, and notes how certain it is. False: the
/// instruction must be executed.
bool annihilate(const Instruction& in, const Code& code, Slot* registers, Certainty* certainty);

}  // namespace trellis::check
