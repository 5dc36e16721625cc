#include "tests/repl/typist.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

namespace trellis::testing {
namespace {

constexpr std::chrono::seconds patience{60};
using Clock = std::chrono::steady_clock;

}  // namespace

Typist::Typist(const std::vector<std::string>& arguments, const Desk& desk) : screen_(desk.rows, desk.columns) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), TRELLIS_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::map<std::string, std::string> variables = {{"TERM", "xterm"},
                                                  {"LC_ALL", "C.UTF-8"},
                                                  {"HOME", desk.folder},
                                                  {"NO_COLOR", ""},
                                                  {"PAGER", ""},
                                                  {"XDG_STATE_HOME", desk.folder + "/state"},
                                                  {"XDG_CONFIG_HOME", desk.folder + "/config"}};
  // libedit keeps the names of functions that were added to it.
  variables["ASAN_OPTIONS"] = "abort_on_error=1:allocator_may_return_null=1:detect_leaks=0";
  for (const auto& [name, value] : desk.variables) variables[name] = value;

  winsize size{};
  size.ws_row = static_cast<unsigned short>(desk.rows);
  size.ws_col = static_cast<unsigned short>(desk.columns);
  process_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (process_ != 0) return;
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  if (chdir(desk.folder.c_str()) != 0) _exit(126);
  execv(argv[0], argv.data());
  _exit(127);
}

Typist::~Typist() {
  if (process_ > 0 && code_ < 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (terminal_ >= 0) close(terminal_);
}

void Typist::type(const std::string& keys) {
  typed_at_ = raw_.size();
  std::size_t done = 0;
  while (done < keys.size()) {
    const ssize_t count = write(terminal_, keys.data() + done, keys.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void Typist::resize(int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  ioctl(terminal_, TIOCSWINSZ, &size);
}

bool Typist::read(int milliseconds) {
  pollfd waiting{terminal_, POLLIN, 0};
  if (closed_ || poll(&waiting, 1, milliseconds) <= 0) return false;
  char bytes[4096];
  const ssize_t count = ::read(terminal_, bytes, sizeof bytes);
  if (count <= 0) {
    closed_ = true;  // EIO: nobody is at the other end any more
    return false;
  }
  raw_.append(bytes, static_cast<std::size_t>(count));
  screen_.write({bytes, static_cast<std::size_t>(count)});
  return true;
}

template <class Condition>
bool Typist::reads_until(const Condition& condition) {
  const auto deadline = Clock::now() + patience;
  while (!condition()) {
    if (closed_ || Clock::now() > deadline) return false;
    read(100);
  }
  return true;
}

bool Typist::sees(const std::string& text) {
  return reads_until([&] { return raw_.find(text, typed_at_) != std::string::npos; });
}

bool Typist::waits_behind(const std::string& prompt) {
  // What was typed is echoed first: the prompt has to come after something did. An editor that draws a line anew passes
  // through a moment that looks like a prompt, so it has to last as well.
  constexpr int lasting = 150;
  const auto at_prompt = [&] { return raw_.size() > typed_at_ && screen_.before_cursor() == prompt; };
  do {
    if (!reads_until(at_prompt)) return false;
  } while (read(lasting));
  return true;
}

bool Typist::waits_until(const std::function<bool(const Screen&)>& condition) {
  return reads_until([&] { return raw_.size() > typed_at_ && condition(screen_); });
}

int Typist::ends() {
  if (!reads_until([&] { return closed_; })) return -1;
  int status = 0;
  waitpid(process_, &status, 0);
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

}  // namespace trellis::testing
