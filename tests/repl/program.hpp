#pragma once
// The program `trellis` as a user runs it: arguments and standard input in; exit code and both outputs out.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trellis::testing {

struct Ended {
  int code = -1;  ///< exit code; 128 + N when signal N killed it
  std::string out;
  std::string err;
  double seconds = 0;
};

/// `interrupt_after` seconds it gets so many SIGINT in a row, as from Ctrl-C; 0: never.
struct Surroundings {
  std::string input;
  double interrupt_after = 0;
  int interrupts = 1;
  std::optional<double> kill_after = {};                                  ///< so many seconds it gets SIGKILL
  std::filesystem::path folder = std::filesystem::temp_directory_path();  ///< where it is started
};

Ended start(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

/// A command line as the shell runs it, with `trellis` in its path; both outputs are in `out`, as on a terminal.
Ended start_shell(const std::string& command, const Surroundings& surroundings = {});

/// `trellis run - OPTIONS` with this program as standard input.
Ended run(const std::string& program, std::vector<std::string> options = {});

}  // namespace trellis::testing
