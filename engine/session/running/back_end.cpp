#include "engine/session/running/back_end.hpp"

#include "engine/session/running/estimates.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

/// By the estimate, which is of optimised code: the jit takes some ten times as long, the C compiler half a second.
constexpr double long_ms = 40;

}  // namespace

run::Backend back_end_for(State& state, const lang::Kernel& kernel) {
  if (!state.options.chooses_backend || state.options.backend == run::Backend::native) return state.options.backend;
  const text::Unseen said_when_it_runs;
  text::Diagnostics ignored;
  const auto compilation = planned(state, kernel, ignored);
  if (!compilation) return state.options.backend;
  const double ms = estimated_cycles(state, *compilation, 1) / state.options.machine.per_nanosecond / 1e6;
  return ms > long_ms ? run::Backend::native : state.options.backend;
}

}  // namespace trellis::session
