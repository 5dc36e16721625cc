#pragma once
// Marks the affine indices of loop programs that may be out of range: nobody has proven them as placement does for
// equations. A marked index is a conversion of an i64 to i64, which no pass takes for affine, so that it stays where it
// is and is checked when it runs, like an index that depends on data.
//
//   for i in 0:n { x(i) = y(i+1) }   becomes   for i in 0:n { x(i) = y(i64(i+1)) }

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

/// Marks what bounds of loops, conditions and lets around do not prove for all sizes.
Stmt check_indices(const Stmt& stmt, const lang::Program& program, math::Solver& solver);

}  // namespace trellis::loop
