#include "repl/render/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "engine/text/glyphs.hpp"

namespace trellis::repl {
namespace {

int output_failure = 0;  ///< errno of the first

}  // namespace

void complain(const std::string& problem) { std::fprintf(stderr, "trellis: %s\n", text::printable(problem).c_str()); }

void put(std::string_view text, std::FILE* to) {
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
  if (!written && to == stdout && output_failure == 0) output_failure = errno;
}

std::string lost_output() {
  put("", stdout);
  if (output_failure == 0 && std::ferror(stdout)) output_failure = EIO;
  return output_failure == 0 || output_failure == EPIPE ? "" : std::strerror(output_failure);
}

Terminal terminal(int descriptor, WantsColour wanted) {
  Terminal found;
  const char* const name = std::getenv("TERM");
  const char* const no_colour = std::getenv("NO_COLOR");
  const bool there = found.there = isatty(descriptor) == 1;
  found.moves = there && name && std::string_view(name) != "dumb";
  found.colour = wanted == WantsColour::always ||
                 (wanted == WantsColour::when_terminal && found.moves && !(no_colour && *no_colour));
  found.unicode = !there || std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  if (!there) return found;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) found.columns = size.ws_col, found.rows = size.ws_row;
  const char* const columns = std::getenv("COLUMNS");
  if (found.columns == 0 && columns) found.columns = std::clamp(std::atoi(columns), 0, 10000);
  return found;
}

}  // namespace trellis::repl
