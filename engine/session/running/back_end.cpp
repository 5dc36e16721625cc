#include "engine/session/running/back_end.hpp"

#include <algorithm>

#include "engine/session/running/estimates.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

/// By the estimate, which is of optimised code: the jit takes some ten times as long, the C compiler half a second.
constexpr double long_ms = 40;

/// Such kernels are scheduled for vector registers, which the jit does not use.
bool holds_blocks(const lang::Schedule& schedule) {
  return std::ranges::any_of(
      schedule.steps, [](const lang::ScheduleStep& step) { return step.kind == lang::ScheduleStep::Kind::registers; });
}

}  // namespace

run::Backend back_end_for(State& state, const lang::Kernel& kernel) {
  if (!state.options.chooses_backend || state.options.backend == run::Backend::native) return state.options.backend;
  const text::Unseen said_when_it_runs;
  text::Diagnostics ignored;
  const auto compilation = planned(state, kernel, ignored);
  if (!compilation) return state.options.backend;
  if (holds_blocks(compilation->kernel.schedule)) return run::Backend::native;
  const double ms = estimated_cycles(state, *compilation, 1) / state.options.machine.per_nanosecond / 1e6;
  return ms > long_ms ? run::Backend::native : state.options.backend;
}

}  // namespace trellis::session
