#pragma once
// What would work instead of a step that is refused: each suggestion has been tried.

#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// Adds them to the refusal as notes.
void add_remedies(text::Diagnostic& refusal, const loop::Stmt& loops, const lang::ScheduleStep& step,
                  const lang::Program& program, math::Solver& solver);

}  // namespace trellis::schedule
