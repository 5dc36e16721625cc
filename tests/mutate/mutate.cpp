#include "tests/mutate/mutate.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <string_view>

#include "tests/random/wanted.hpp"

namespace trellis::mutate {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t fresh_seed() {
  // Short enough to be typed; a run takes much less than a million of them.
  const auto now = std::chrono::system_clock::now().time_since_epoch() / std::chrono::microseconds(1);
  return static_cast<std::uint64_t>(now) % 1'000'000 * 1'000'000;
}

/// The byte as it is shown on a line of ASCII: `a`, `\x00`, `\n`.
std::string_view shown(char c, char (&space)[5]) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') return "\\n";
  if (c == '\\') return "\\\\";
  std::snprintf(space, sizeof space, byte < 0x20 || byte > 0x7e ? "\\x%02x" : "%c", byte);
  return space;
}

std::string shown(const std::string& input) {
  std::string text;
  char space[5];
  for (const char c : input) text += shown(c, space);
  return text;
}

/// One answer may take that long, on a busy machine and under sanitizers too. What takes longer fails as a crash does.
constexpr unsigned most_seconds = 120;

/// What a process that dies still has to say: the test's own report knows only that it died.
class LastWords {
 public:
  LastWords(const std::string& again, const std::string& input) : again_(again), input_(input) {
    now = this;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
      struct sigaction action {};
      action.sa_handler = speak;
      action.sa_flags = SA_ONSTACK;  // that of the test's driver: a stack may be what is full
      sigaction(number, &action, &before_[number]);
    }
    alarm(most_seconds);
  }
  ~LastWords() {
    alarm(0);
    for (const auto& [number, action] : before_) sigaction(number, &action, nullptr);
    now = nullptr;
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  static void say(std::string_view text) {
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
  }
  static void speak(int number) {
    say(number == SIGALRM ? "no answer in time\nrepeated by: " : "repeated by: ");
    say(now->again_);
    say("\nof: ");
    char space[5];
    for (const char c : now->input_) say(shown(c, space));
    say("\n");
    const int dying = number == SIGALRM ? SIGABRT : number;
    sigaction(dying, &now->before_[dying], nullptr);
    raise(dying);
  }

  static inline LastWords* now = nullptr;
  const std::string& again_;
  const std::string& input_;
  std::map<int, struct sigaction> before_;
};

void try_one(const std::string& again, const std::function<void(Trial&)>& attempt) {
  Trial trial;
  {
    const LastWords words(again, trial.input);
    attempt(trial);
  }
  REQUIRE_MESSAGE(trial.objection.empty(),
                  trial.objection << "\nrepeated by: " << again << "\nof: " << shown(trial.input));
}

}  // namespace

int mutate(const char* test_case, int usually, const Attempt& attempt) {
  const std::optional<int> seconds = testing::options().mutate;
  const std::uint64_t first = randomised::first_seed(seconds ? fresh_seed() : 0);
  const int most = randomised::wanted(usually);
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds.value_or(0));
  if (seconds) std::printf("%s: from --seed %llu on\n", test_case, static_cast<unsigned long long>(first));
  std::fflush(stdout);
  int done = 0;
  // One at least, so that `--mutate 0 --seed S` repeats one.
  for (bool more = true; more; more = seconds ? Clock::now() < end : done < most) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(done++);
    const std::string options = "-tc=\"" + std::string(test_case) + "\" --mutate 0 --seed " + std::to_string(seed);
    try_one("trellis-tests " + options, [&](Trial& trial) { attempt(seed, trial); });
  }
  if (seconds) std::printf("%s: %d tried\n", test_case, done);
  return done;
}

}  // namespace trellis::mutate
