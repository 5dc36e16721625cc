#pragma once
// A session as a program that replays it.

#include <filesystem>
#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct SavedProgram {
  std::string text;                    ///< what was declared, then what filled and computed tensors
  std::string options;                 ///< of the command line, as they are typed there, with a space before each
  std::size_t declared = 0, made = 0;  ///< statements
  bool outdated = false;               ///< a run was of equations that have changed since
};

/// Files that are loaded from `folder`, or below, go by their names from there.
SavedProgram saved_program(State& state, const std::filesystem::path& folder);

}  // namespace trellis::session
