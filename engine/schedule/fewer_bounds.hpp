#pragma once
// Loops after something around them was cut: without what that makes certain.

#include "engine/loop/context.hpp"

namespace trellis::schedule {

/// Loops with no more bounds than what is known around them leaves; those that have no iteration are gone.
loop::Stmt with_fewer_bounds(const loop::Stmt& stmt, const loop::Context& known);

}  // namespace trellis::schedule
