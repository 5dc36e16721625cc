// The C compiler, whatever it does: `--timeout` bounds it, and neither it nor what it started outlives the program, nor
// do their files, however the program ends. Nor does a kernel.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <sstream>
#include <thread>

#include "tests/environment.hpp"
#include "tests/folder.hpp"
#include "tests/repl/program.hpp"

using namespace trellis::testing;

namespace {

/// Waits for it as long as a busy machine may take.
bool soon(const std::function<bool()>& condition) {
  for (int k = 0; k < 6000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

/// `trellis run` with a compiler and a cache of its own, by which all its processes are known.
class Program {
 public:
  /// A shell script with what goes before the answer to `--version`, and what compiling is.
  void compiler(const std::string& asked, const std::string& compiling) {
    const std::string started = "started() { : > '" + (folder_ / "started") + "'; }\n";
    const std::string answer = "case \"$*\" in *--version)\n" + asked + "\necho fake; exit 0;; esac\n";
    const std::string file = folder_.file("cc", "#!/bin/sh\n" + started + answer + compiling + "\n");
    chmod(file.c_str(), 0700);
  }

  Ended run_to_end(std::vector<std::string> options = {}) {
    const Environment cache("XDG_CACHE_HOME", cache_), cc("CC", folder_ / "cc");
    options.insert(options.begin(), {"run", doubling(), "--backend", "native"});
    return start(options);
  }

  /// Without a back end.
  Ended run_file(const std::string& text) {
    const Environment cache("XDG_CACHE_HOME", cache_), cc("CC", folder_ / "cc");
    return start({"run", folder_.file("b.tr", text)});
  }

  void begin(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TRELLIS_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : arguments) argv.push_back(word.data());
    argv.push_back(nullptr);
    const Environment cache("XDG_CACHE_HOME", cache_), cc("CC", folder_ / "cc");
    process_ = fork();
    if (process_ > 0) return;
    setpgid(0, 0);
    for (const int signal : {SIGINT, SIGHUP, SIGTERM})
      std::signal(signal, SIG_DFL);  // whatever this test was started with
    const int nothing = open("/dev/null", O_RDWR);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, descriptor);
    execv(argv[0], argv.data());
    _exit(127);
  }
  void begin_compiling() { begin({"run", doubling(), "--backend", "native"}); }

  /// 128 + N when signal N killed it.
  int ended_by(int signal, pid_t whom) {
    kill(whom, signal);
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  pid_t process() const { return process_; }

  bool started() const { return std::filesystem::exists(folder_.path() / "started"); }
  /// Processes that have the same cache.
  int living() const {
    int count = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error))
      if (std::isdigit(static_cast<unsigned char>(entry->path().filename().string()[0])))
        count += content(entry->path() / "environ").find("XDG_CACHE_HOME=" + cache_ + '\0') != std::string::npos;
    return count;
  }
  /// In the cache.
  std::ptrdiff_t files() const {
    std::error_code error;
    return std::distance(std::filesystem::directory_iterator(cache_ + "/trellis", error), {});
  }
  const Folder& folder() const { return folder_; }

 private:
  std::string doubling() const { return folder_.file("a.tr", "tensor x(3)\ny(i) = 2 * x(i)\nrun\nprint y\n"); }

  Folder folder_;
  std::string cache_ = folder_ / "cache";
  pid_t process_ = -1;
};

// One of the children does not listen; and there is what a compiler leaves when it is killed.
const std::string stuck_with_children =
    "sleep 1000 & (trap '' INT HUP TERM; sleep 1000; sleep 1000) & (sleep 1000; sleep 1000) &\nstarted; wait";
const std::string stuck_with_files = ": > \"$TMPDIR/ccXyz.s\"\n" + stuck_with_children;

void check_that_nothing_remains(const Program& program) {
  CHECK(soon([&] { return program.living() == 0; }));
  CHECK(program.files() == 0);
}

}  // namespace

TEST_CASE("a compiler ends with the program, however that ends") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    for (const bool when_asked : {true, false}) {
      CAPTURE(signal);
      CAPTURE(when_asked);
      Program program;
      program.compiler(when_asked ? stuck_with_children : "", stuck_with_files);
      program.begin_compiling();
      REQUIRE(soon([&] { return program.started(); }));
      CHECK(program.ended_by(signal, program.process()) == (signal == SIGINT ? 130 : 128 + signal));
      check_that_nothing_remains(program);
    }
  }
}

TEST_CASE("a compiler ends with the program when all processes of its group are killed") {
  Program program;
  program.compiler("", stuck_with_files);
  program.begin_compiling();
  REQUIRE(soon([&] { return program.started(); }));
  CHECK(program.ended_by(SIGKILL, -program.process()) == 128 + SIGKILL);
  check_that_nothing_remains(program);
}

TEST_CASE("exit 3: a compiler does not end in time") {
  for (const bool when_asked : {true, false}) {
    CAPTURE(when_asked);
    Program program;
    program.compiler(when_asked ? stuck_with_children : "", stuck_with_files);
    const Ended ended = program.run_to_end({"--timeout", "0.5"});
    CHECK(ended.code == 3);
    CHECK(ended.seconds < 60);
    CHECK(ended.err.find("a.tr:2:1: error[E0504]: compiling kernel main did not finish in time") != std::string::npos);
    CHECK(ended.err.find("`--timeout S` sets the limit") != std::string::npos);
    CHECK(ended.err.find("cc` did not end within its time limit of 0.5 s") != std::string::npos);
    check_that_nothing_remains(program);
  }
}

TEST_CASE("a compiler that runs beside a session ends with the program, which does not wait for it") {
  Program program;
  program.compiler("", stuck_with_files);
  const Ended ended = program.run_file(
      "param n = 160\ntensor A(n, n)\nrandom A seed 1\nC(i,j) = A(i,k) * A(k,j)\norder i j k\nrun\nrun\nrun\n");
  CHECK(ended.code == 0);
  CHECK(ended.seconds < 60);
  check_that_nothing_remains(program);
}

TEST_CASE("what a compiler leaves running ends with it, and costs no time") {
  Program program;
  program.compiler("sleep 1000 &", "sleep 1000 &\nexec cc \"$@\"");
  const Ended ended = program.run_to_end();
  CHECK(ended.code == 0);
  CHECK(ended.out == "y = [0 0 0]\n");
  CHECK(ended.seconds < 60);
  CHECK(soon([&] { return program.living() == 0; }));
  CHECK(program.files() == 2);
}

TEST_CASE("a kernel ends with the program, however that ends") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    CAPTURE(signal);
    Program program;
    program.begin({"run", program.folder().file("a.tr", "tensor s\nloops {\n  while s < 1 { s = 0 }\n}\n")});
    REQUIRE(soon([&] { return program.living() == 2; }));
    CHECK(program.ended_by(signal, program.process()) == (signal == SIGINT ? 130 : 128 + signal));
    check_that_nothing_remains(program);
  }
}
