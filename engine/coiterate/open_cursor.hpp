#pragma once
// The cursor of an operand that a loop walks: where its fiber is, whether it is there, and how its coordinates become
// the loop's.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Its name is in scope from now on.
Cursor open_cursor(Context& in, const Literal& literal, const loop::For& f, Cursor::Role role);

}  // namespace trellis::coiterate
