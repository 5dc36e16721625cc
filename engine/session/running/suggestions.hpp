#pragma once
// Schedules for a kernel, searched with what the session holds, and one of them taken: what suggest, tune and
// `schedule auto fast` share.

#include "engine/explore/suggest.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Empty is reported.
std::optional<Suggested> suggestions_for(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

/// Those of them that need no more threads than that.
void drop_parallel(Suggested& suggested, int threads);

/// The lines become the kernel's schedule, as typing them would; so does no order of the command line any longer.
void take_lines(State& state, const std::string& kernel, const std::string& commands, text::Diagnostics& diagnostics);

}  // namespace trellis::session
