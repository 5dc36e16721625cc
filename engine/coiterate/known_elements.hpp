#pragma once
// Constants that the block around has just set elements to: `p = -1; for j until p >= 0 { … }` does not begin at its
// end.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Keeps the values that elements have after the statement.
void note_assigned(Context& in, const loop::Stmt& s);
/// Forgets the values of what the statement writes.
void forget_known(Context& in, const loop::Stmt& s);
/// What an expression is where elements have the values that they were given last, as far as that is known.
lang::Expr with_known_elements(const Context& in, const lang::Expr& e);

}  // namespace trellis::coiterate
