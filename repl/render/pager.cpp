#include "repl/render/pager.hpp"

#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/text/fit.hpp"

namespace trellis::repl {
namespace {

int rows_of(std::string_view line, int columns) {
  const int width = text::width_of(line);
  return columns <= 0 || width == 0 ? 1 : (width + columns - 1) / columns;
}

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
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
  /// `q` when no key can be read, as after Ctrl-C.
  char next() const {
    char key = 'q';
    return ::read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
  }

 private:
  termios before_{};
};

void stop_by_stop(std::string_view text, const Terminal& terminal) {
  const Keys keys;
  int room = terminal.rows - 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const int rows = rows_of(text.substr(0, end - 1), terminal.columns);
    if (rows > room && room < terminal.rows - 1) {
      put("\x1b[7m--More--\x1b[0m");
      const char key = keys.next();
      put("\r\x1b[K");
      if (key == 'q' || key == 'Q' || key == '\x03' || key == '\x04') return;
      room = key == '\r' || key == '\n' ? rows : terminal.rows - 1;
    }
    put(text.substr(0, end));
    room -= rows;
    text.remove_prefix(end);
  }
}

// False when it could not be started.
bool through(const char* pager, const std::string& text) {
  setenv("LESS", "FRX", 0);
  struct sigaction ignore {}, before {};
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
  return ending != -1 && !(WIFEXITED(ending) && (WEXITSTATUS(ending) == not_found || WEXITSTATUS(ending) == not_executable));
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

void put_in_pages(const std::string& text, const Terminal& terminal) {
  if (!terminal.moves || terminal.rows <= 2 || height_of(text, terminal.columns) < terminal.rows) return put(text);
  const char* const pager = std::getenv("PAGER");
  if (pager && *pager && through(pager, text)) return;
  stop_by_stop(text, terminal);
}

}  // namespace trellis::repl
