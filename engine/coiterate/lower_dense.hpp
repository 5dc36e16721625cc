#pragma once
// Loops over logical arrays to control flow over positions, where every operand is dense: each access becomes a chain of
// `direct` positions in storage order. Placement has proven affine indices to be in range; what depends on data is checked
// when it runs.
//
//   for i in 0:n { y(i) += T(a(i), i) }   →   loop i in 0:n
//   (T column-major)                            y[i] += T[i][a[i] checked]

#include <string>

#include "engine/coiterate/cfir.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

/// Whom to trust about affine indices: placement's proof, or nobody (loop programs as their users wrote them).
enum class AffineIndices { proven, checked };

/// The numbered flow of one kernel. `loops` must satisfy loop::verify, hold no timestep, and name dense tensors only.
Flow lower_dense(const loop::Stmt& loops, const lang::Program& program, const std::string& kernel,
                 AffineIndices indices = AffineIndices::proven);

}  // namespace trellis::coiterate
