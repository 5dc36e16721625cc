#pragma once
// Splits a loop's range where guards in its body change, so that no iteration tests them.
//
//   for j in 0:n {                          for j in 0:i { A }
//     if j < i { A }                   →    for j in i:i+1 { B }
//     if j == i { B } }                     (nothing runs beyond)
//
//   for i in 0:n { x(i) = i == 0 ? a : b(i-1) }   →   for i in 0:min(1, n) { x(i) = a }   for i in 1:n { x(i) = b(i-1) }
//
// Iterations stay in their order: a descending loop's upper part comes first. A loop is split only where what both
// parts keep is short and holds no loop, and into at most four parts; a loop marked parallel stays whole.
// After: inline_single_iterations and merge_blocks tidy the parts.

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

Stmt split_bounds(const Stmt& stmt, math::Solver& solver);

}  // namespace trellis::loop
