#pragma once
// A result that holds values, and of which the loops come by every element, in the order of its storage: each is
// what it held, changed. So what it held becomes an operand, which the loops walk like any other, and the
// result is appended anew.
//
//   for i, j { C(i,j) += A(i,j) }
//   →   tensor C_old(n, n): {dense, hashed}; C_old .= 0; for i, j { C_old(i,j) = C(i,j) }; C .= 0
//       for i, j { C(i,j) = C_old(i,j) + A(i,j) }
//
// Where an element or a slice is written several times, it is collected as collect_slices.hpp says, from what it held
// on.

#include <optional>

#include "engine/math/solver.hpp"
#include "engine/results/collect_whole.hpp"

namespace trellis::results {

/// `loops` is numbered, its root a Block. Empty when the loops come by the elements otherwise, or read others than the
/// one they write that are not finished.
std::optional<Whole> append_anew(const loop::Stmt& loops, const lang::TensorInfo& tensor, const lang::Program& program,
                                 math::Solver& solver);

}  // namespace trellis::results
