#pragma once
// What would be if: a session's copy with schedule commands added, as typing them would. Copies share tensors and what was compiled.

#include <memory>
#include <string>

#include "engine/explore/evaluate.hpp"
#include "engine/session/state.hpp"

namespace trellis::session {

/// The commands go to that kernel; orders of the command line no longer go before them. Syntax errors are reported; they, like
/// later ones, point to a text that becomes one of the session's.
State with_commands(State& state, const std::string& kernel, const std::string& commands, text::Diagnostics& diagnostics);

/// What the kernel would be compiled to with them. Null where that fails, whatever the reason.
std::shared_ptr<const Compilation> compiled_with(State& state, const std::string& kernel, const std::string& commands);

/// The values of all sizes, for estimates; those that have none yet count as 1000.
explore::Names sizes_of(const State& state, const lang::Program& program);

/// The loops with all that estimates look at: which of them carry nothing, a loop program does not say of itself.
loop::Stmt comparable(const Compilation& compilation);

}  // namespace trellis::session
