#pragma once
// `trellis run`: a file or standard input through a session. Results go to standard output, everything else to standard
// error.

#include "repl/command_line.hpp"

namespace trellis::repl {

/// The exit code (docs/design/language.md#exit-codes).
int run_file(const CommandLine& line);

/// `trellis show FILE loops`: declares and fills what the file does, and carries out one command behind it.
int command_on_file(const CommandLine& line);

/// `trellis fix`: runs the file up to its first failure, and writes the fix of that number into the file that its
/// message is about: the program, or one that it sources. 1: there is none of that number; 2: a file cannot be read or
/// written.
int fix_file(const CommandLine& line);

/// The prompt where nobody types: the file, if there is one, then all of standard input.
int run_input(const CommandLine& line);

/// `trellis explain`: every stage of the file's kernels on standard output; nothing runs.
int explain_file(const CommandLine& line);

}  // namespace trellis::repl
