#pragma once
// What a loop program itself says about how its loops run (`forall`, `parallel`, `vectorize`) must be true: no such
// loop may carry a dependence. What its iterations update together becomes part of it, so that threads combine it.
//
//   for i in 0:n parallel { s += x(i) }   becomes   forall i in 0:n reduces s parallel { s += x(i) }

#include <optional>

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// Empty when a loop cannot run as it says, which is reported with the dependence and its smallest instance.
std::optional<loop::Stmt> resolve_marks(const loop::Stmt& loops, const lang::Program& program, math::Solver& solver,
                                        text::Diagnostics& diagnostics);

}  // namespace trellis::schedule
