#pragma once
// Moves guards out of loops: one about the loop's own variable becomes a bound, one that does not mention it moves
// outside.
//
//   for j in 0:n { if j < i { A } }               →   for j in 0:i { if j < i { A } }
//   for k in 0:n { if j < i && k < j { A } }      →   if j < i { for k in 0:j { if j < i && k < j { A } } }
//   for i in 0:n { if j < i { A } if j <= i { B } }   →   for i in j:n { … }
//
// A guard moves when everything in the loop's body needs it. The guards stay where they were, now implied:
// drop_implied_guards removes them. After: no guard that a whole loop body needs is missing around that loop.

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

Stmt hoist_guards(const Stmt& stmt, math::Solver& solver);

}  // namespace trellis::loop
