#pragma once
// `trellis` and `trellis file.tr`: the prompt. Reads entries, hands them to the session, shows its replies.

#include "repl/command_line.hpp"

namespace trellis::repl {

/// The exit code: 0 unless the command line names what is not there.
int converse(const CommandLine& line);

}  // namespace trellis::repl
