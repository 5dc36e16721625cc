#pragma once
// `pack A`: while the kernel runs a tensor is kept in strips, from which tiles in registers read vectors that lie side
// by side (strips.hpp). An operand is copied before anything else; a result is laid out as it was declared at the end.
// What lies behind a last strip's rows is zero, so that tiles at the border can run like all others.
//
// Sums that a result's elements are computed of share its place, where none of its elements is read before it is
// computed: t(i,j) of L(i,j) = (A(i,j) - t(i,j))/L(j,j) ends as L(i,j) begins.

#include <optional>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/place/fragment.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// Scheduled loops of a kernel, with what its `pack` steps name in strips. `fragments`, if it has equations, are
/// theirs, without tiles. E0164, and nothing, where the tiles in registers want no strips of a tensor.
std::optional<loop::Stmt> pack(const loop::Stmt& loops, const lang::Program& program, const lang::Kernel& kernel,
                               const place::Fragments* fragments, math::Solver& solver, text::Diagnostics& diagnostics);

}  // namespace trellis::schedule
