#pragma once
// `export mpi`: a folder that `make` builds and `mpiexec` runs, without Trellis.

#include "engine/session/command/commands.hpp"

namespace trellis::session {

CommandResult export_mpi(State& state, Words& words);

}  // namespace trellis::session
