#pragma once
// Threads that are woken for less work than waking them takes make a kernel slower, and busy ones make others slow.

#include "engine/run/kernel.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// On how many threads to run a kernel that was asked for on `wanted`: on one, with a note (N0605) that has the figure,
/// where more are estimated to take longer. Results are the same on any number.
int threads_that_pay(const State& state, const Compilation& compilation, int wanted, text::Span at,
                     text::Diagnostics& diagnostics);

}  // namespace trellis::session
