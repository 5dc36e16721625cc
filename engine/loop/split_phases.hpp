#pragma once
// Cuts loops around loops where it changes which sparse operands are read in there, so that no loop walks, or asks, two
// of which only one is meant (docs/design/shapes.md#phases).
//
//   for l in 0:n+q { for j { C(l,j) = l < n ? A(l,j) : B(l-n,j) } }
//   →   for l in 0:n { for j { C(l,j) = A(l,j) } }   for l in n:n+q { for j { C(l,j) = B(l-n,j) } }
//
//   for i in 0:8 { for j in 0:4 { C(i,j) = 4*i + j < n ? a(4*i+j) : b(4*i+j-n) } }
//   →   i in 0:n/4 reads a alone, i in n/4:(n+3)/4 both, under the guard, and i in (n+3)/4:8 b alone
//
// A guard that inner loops decide changes at its least and at its greatest value. What runs stays in its order. Loops
// whose guards decide nothing of the kind are left as they are: schedules ask for whole nests.

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

Stmt split_phases(const Stmt& stmt, const lang::Program& program, math::Solver& solver);

}  // namespace trellis::loop
