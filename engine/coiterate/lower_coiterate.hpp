#pragma once
// Loops that walk what their operands store: the lattice's operands get cursors, and its points are written down one
// after the other, each with a decision tree over who stands at the coordinate.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// The lattice is that of `in.origins.within`, and has points.
Stmt lower_coiterate(Context& in, const loop::Stmt& s, const loop::For& f, const Lattice& lattice);

}  // namespace trellis::coiterate
