#pragma once
// Replaces loops that run at most once by their body.
//
//   for j in i:i+1 { x(j) = a(j) }            →   x(i) = a(i)
//   for j in 0:min(1, n) { x(j) = a(j) }      →   if 0 < n { x(0) = a(0) }
//
// After: no loop whose range provably has at most one value, if that value is affine.
// Notes of such a body go, since they speak of the variable.

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

/// `for i in 0:1`, of a dimension of one element: its body, or a loop all the same, for a schedule to speak of.
enum class Singles { inlined, kept };
Stmt inline_single_iterations(const Stmt& stmt, math::Solver& solver, Singles singles = Singles::inlined);

}  // namespace trellis::loop
