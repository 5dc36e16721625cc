#pragma once
// What the terminal at the other end can show, and whether there is one.

#include <cstdio>
#include <string>
#include <string_view>

namespace trellis::repl {

/// `--color`.
enum class WantsColour { when_terminal, always, never };

struct Terminal {
  bool there = false;    ///< somebody looks at it: no file, no pipe
  bool colour = false;   ///< NO_COLOR, TERM=dumb and outputs that are no terminal have none
  bool unicode = false;  ///< the locale's characters are UTF-8
  bool moves = false;    ///< a terminal that understands more than lines: progress, the pager
  int columns = 0;       ///< 0: no limit, as when it is no terminal
  int rows = 0;
  std::string_view program =
      {};                ///< the file that `trellis run` carries out: fixes are written there rather than typed
  int fixes_before = 0;  ///< how many that run has shown so far
};

/// "trellis: …" on standard error, whatever the names in it hold.
void complain(const std::string& problem);
/// Writes it all and at once. What standard output does not take is lost: see `lost_output`.
void put(std::string_view text, std::FILE* to);
/// Why not all of standard output could be written; empty when it could, or when nobody reads it any more.
std::string lost_output();

/// As it is now: windows change their sizes. `descriptor` is where the text goes.
Terminal terminal(int descriptor, WantsColour wanted);

}  // namespace trellis::repl
