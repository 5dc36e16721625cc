#pragma once
// `lead A`: loops over what A stores, in the order in which it does, in the places of the loops over its indices.
//
//   A dia, (i, j) -> (j - i, i):
//   for i in 0:n { for j in 0:n { y(i) += A(i,j)*x(j) } }      →      for j_i in 1:2*n { for i in max(0, n - j_i): … {
//                                                                       y(i) += A(i, i + j_i - n) * x(i + j_i - n) } }
//
// The outermost loop that indexes A makes way for loops over A's levels; the others inside stay inside. A layout of
// several branches, such as that of a symmetric matrix, has each statement once for each, in the same loops.
// (docs/design/layouts.md#leading)

#include "engine/lang/program.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// Of a layout with branches: the loops once for each, under its conditions. `lead` takes these numbered. Else the
/// loops.
Transformed one_for_each_branch(const loop::Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver);

Transformed lead(const loop::Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver);

}  // namespace trellis::schedule
