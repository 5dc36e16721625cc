#pragma once
// Text that is longer than the screen, a screen at a time.

#include <string>

#include "repl/render/terminal.hpp"

namespace trellis::repl {

/// Writes to standard output. What does not fit goes through $PAGER, when there is one, or stops at `--More--`: blank
/// for the next screen, Enter for a line, q for the prompt. Any other key ends it too, and is the result: it was meant
/// for the prompt.
std::string put_in_pages(const std::string& text, const Terminal& terminal);

/// How many lines of the terminal the text takes, control sequences not counted.
int height_of(const std::string& text, int columns);

}  // namespace trellis::repl
