#include "repl/render/pager.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "engine/text/fit.hpp"

namespace trellis::repl {
namespace {

int rows_of(std::string_view line, int columns) {
  const int width = text::width_of(line);
  return columns <= 0 || width == 0 ? 1 : (width + columns - 1) / columns;
}

/// Keys as they are pressed.
class Keys {
 public:
  Keys() {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  ~Keys() { tcsetattr(STDIN_FILENO, TCSADRAIN, &before_); }
  /// With all of its bytes. `q` when no key can be read, as after Ctrl-C.
  std::string next() const {
    char byte = 0;
    if (::read(STDIN_FILENO, &byte, 1) != 1) return "q";
    std::string key(1, byte);
    // Escape alone is a key; with others that come at once it is an arrow, say.
    while (key[0] == '\x1b' && key.size() < most_bytes && arrives() && ::read(STDIN_FILENO, &byte, 1) == 1) key += byte;
    return key;
  }

 private:
  static constexpr std::size_t most_bytes = 8;
  static bool arrives() {
    constexpr int milliseconds = 20;
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    return poll(&waiting, 1, milliseconds) > 0;
  }
  termios before_{};
};

enum class Way { screen, line, stop };

/// Empty when the key is none of the pager's.
std::optional<Way> way_of(const std::string& key) {
  static const std::map<std::string, Way, std::less<>> ways = {
      {" ", Way::screen}, {"\x1b[6~", Way::screen}, {"\r", Way::line},   {"\n", Way::line},   {"\x1b[B", Way::line},
      {"q", Way::stop},   {"Q", Way::stop},         {"\x03", Way::stop}, {"\x04", Way::stop}, {"\x1b", Way::stop}};
  const auto found = ways.find(key);
  return found == ways.end() ? std::nullopt : std::optional(found->second);
}

std::string stop_line(const Terminal& terminal) {
  const std::string whole = "--More--  blank: screen, Enter: line, q: stop";
  return terminal.columns > text::width_of(whole) ? whole : "--More--";
}

/// The key that ended it, unless it was one of the pager's.
std::string stop_by_stop(std::string_view text, const Terminal& terminal) {
  const Keys keys;
  int room = terminal.rows - 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const int rows = rows_of(text.substr(0, end - 1), terminal.columns);
    if (rows > room && room < terminal.rows - 1) {
      put("\x1b[7m" + stop_line(terminal) + "\x1b[0m", stdout);
      const std::string key = keys.next();
      put("\r\x1b[K", stdout);
      const auto way = way_of(key);
      if (!way) return key;
      if (way == Way::stop) return "";
      room = way == Way::line ? rows : terminal.rows - 1;
    }
    put(text.substr(0, end), stdout);
    room -= rows;
    text.remove_prefix(end);
  }
  return "";
}

// False when it could not be started.
bool through(const char* pager, const std::string& text) {
  setenv("LESS", "FRX", 0);
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);  // it may be left before it has read everything
  std::FILE* const pipe = popen(pager, "w");
  int ending = -1;
  if (pipe) {
    std::fwrite(text.data(), 1, text.size(), pipe);
    ending = pclose(pipe);
  }
  sigaction(SIGPIPE, &before, nullptr);
  constexpr int not_found = 127, not_executable = 126;  // as shells say it
  return ending != -1 &&
         !(WIFEXITED(ending) && (WEXITSTATUS(ending) == not_found || WEXITSTATUS(ending) == not_executable));
}

}  // namespace

int height_of(const std::string& text, int columns) {
  int height = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    height += rows_of(rest.substr(0, end), columns);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return height;
}

std::string put_in_pages(const std::string& text, const Terminal& terminal) {
  const bool fits = !terminal.moves || terminal.rows <= 2 || height_of(text, terminal.columns) < terminal.rows;
  const char* const pager = std::getenv("PAGER");
  if (!fits && pager && *pager && through(pager, text)) return "";
  if (!fits) return stop_by_stop(text, terminal);
  put(text, stdout);
  return "";
}

}  // namespace trellis::repl
