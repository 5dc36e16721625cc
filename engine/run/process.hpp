#pragma once
// Runs another program, without a shell, and collects what it prints.

#include <string>
#include <vector>

namespace trellis::run {

struct Finished {
  bool started = false;  ///< false: `output` says why not
  int exit_code = -1;    ///< -1 when a signal ended it
  bool interrupted = false;  ///< by `interrupt` of kernel.hpp: it was killed, with all that it had started
  std::string output;    ///< standard output and error together, in the C locale
};

/// Waits for the end of `command`; its first word is looked up in PATH.
Finished run_program(const std::vector<std::string>& command);

}  // namespace trellis::run
