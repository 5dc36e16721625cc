#pragma once
// Runs another program, without a shell, and collects what it prints. Neither the program nor what it starts
// outlives this process (watcher.hpp).

#include <string>
#include <vector>

#include "engine/run/wait.hpp"

namespace trellis::run {

struct Finished {
  Ending ending;       ///< timed_out, interrupted: it was killed, with all that it had started
  std::string output;  ///< standard output and error together, in the C locale

  bool succeeded() const { return ending.kind == Ending::Kind::exited && ending.code == 0; }
};

enum class Priority { usual, lowest };

/// Waits for the end of `command`; its first word is looked up in PATH. The program's temporary files are made in
/// `folder`, which is removed if this process dies meanwhile; "": where they usually are.
Finished run_program(const std::vector<std::string>& command, const Wait& wait = Wait(60),
                     const std::string& folder = "", Priority priority = Priority::usual);

}  // namespace trellis::run
