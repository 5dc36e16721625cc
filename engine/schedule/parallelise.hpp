#pragma once
// `parallel i`: every loop over i runs its iterations on all threads. Loops to loops; refused when a loop over i carries a
// dependence, since then its iterations cannot run in any order.
//
//   forall i in 0:n { … }      becomes      forall i in 0:n parallel { … }

#include <optional>

#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// Empty when a loop may not run in parallel, which is reported at the command with the dependence that forbids it.
std::optional<loop::Stmt> parallelise(const loop::Stmt& loops, const lang::Program& program, const lang::Schedule& schedule,
                                      text::Diagnostics& diagnostics);

}  // namespace trellis::schedule
