#pragma once
// What would be if: a session's copy with schedule commands added, as typing them would. Copies share tensors and what
// was compiled.

#include <memory>
#include <optional>
#include <string>

#include "engine/explore/evaluate.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The commands go to that kernel; orders of the command line no longer go before them. Syntax errors are reported;
/// they, like later ones, point to a text that becomes one of the session's.
State with_commands(State& state, const std::string& kernel, const std::string& commands,
                    text::Diagnostics& diagnostics);

struct Trial {
  State state;
  std::shared_ptr<const Compilation> compilation;  ///< of the one kernel
};

/// The kernel compiled with them. Empty where that fails, whatever the reason.
std::optional<Trial> tried_with(State& state, const std::string& kernel, const std::string& commands);

/// The values of all sizes, for estimates; those that have none yet count as 1000.
explore::Names sizes_of(const State& state, const lang::Program& program);
/// Of those alone that have one.
explore::Names known_sizes(const State& state, const lang::Program& program);

}  // namespace trellis::session
