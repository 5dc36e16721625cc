#pragma once
// Loops: whether they are taken apart first, walk what their operands store, or visit every coordinate.

#include <string>
#include <vector>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// In turn: an end that depends on what the loop finds, nothing to do at all, what is done in gaps moved behind it,
/// indices checked before it; then as its lattice says, along what leads or over all coordinates. What its bounds read
/// has been found.
Stmt lower_loop(Context& in, const loop::Stmt& s, const loop::For& f);

}  // namespace trellis::coiterate
