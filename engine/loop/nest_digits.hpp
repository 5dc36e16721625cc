#pragma once
// A loop becomes the nest of its digits where operands are stored by these, so that each digit is walked by a loop of
// its own (docs/design/shapes.md#nests). What runs stays in its order.
//
//   for k in 0:8*n { c(k) = A(k/8,k%8) }   →   for k1 in 0:n { for k0 in 0:8 { c(8*k1+k0) = A(k1,k0) } }
//
// The cuts of the loop, 8 here, are where digits of sparse accesses begin; each must divide the next. What all digits
// are of may be moved, or run the other way: (k + 3)/8, (n-1-k)/8. Where the loop does not begin or end at a cut, the
// inner loops' bounds are clipped. Marks: the outermost loop is parallel, the innermost unrolled or vectorised.

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

Stmt nest_digits(const Stmt& stmt, const lang::Program& program, math::Solver& solver);

}  // namespace trellis::loop
