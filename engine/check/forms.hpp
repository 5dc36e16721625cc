#pragma once
// Affine forms of an equation's code, whose variables have values in registers.

#include "engine/check/code.hpp"

namespace trellis::check {

/// The value of a form of the code, by number.
std::int64_t evaluate(const Code& code, int form, const Slot* registers);
bool holds(const Code& code, int condition, const Slot* registers);
/// Sets the variable of a level to its first value, and the register after it to its last; false where there is none.
bool enter(const Code& code, int level, Slot* registers);

}  // namespace trellis::check
