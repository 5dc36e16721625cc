#include "tests/repl/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace trellis::testing {
namespace {

// Files, not pipes: whatever is written, nobody waits for anybody.
class Stream {
 public:
  Stream() : file_(std::tmpfile()) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { std::fclose(file_); }
  int descriptor() const { return fileno(file_); }
  void write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file_);
    std::rewind(file_);
  }
  std::string text() {
    std::string out(static_cast<std::size_t>(lseek(descriptor(), 0, SEEK_END)), '\0');
    lseek(descriptor(), 0, SEEK_SET);
    const ssize_t got = ::read(descriptor(), out.data(), out.size());
    out.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return out;
  }

 private:
  std::FILE* file_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

enum class Errors { apart, with_output };

int wait_for(pid_t child, const Surroundings& surroundings) {
  if (surroundings.interrupt_after > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(surroundings.interrupt_after));
    for (int k = 0; k < surroundings.interrupts; ++k) {
      kill(child, SIGINT);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  if (surroundings.kill_after) {
    std::this_thread::sleep_for(std::chrono::duration<double>(*surroundings.kill_after));
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ended execute(std::vector<std::string> words, const Surroundings& surroundings, Errors errors) {
  Stream in, out, err;
  in.write(surroundings.input);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(in.descriptor(), STDIN_FILENO);
    dup2(out.descriptor(), STDOUT_FILENO);
    dup2((errors == Errors::apart ? err : out).descriptor(), STDERR_FILENO);
    if (chdir(surroundings.folder.c_str()) != 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  Ended ended;
  ended.code = wait_for(child, surroundings);
  ended.seconds = seconds_since(start);
  ended.out = out.text();
  ended.err = err.text();
  return ended;
}

}  // namespace

Ended start(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), TRELLIS_PROGRAM);
  return execute(std::move(words), surroundings, Errors::apart);
}

Ended start_shell(const std::string& command, const Surroundings& surroundings) {
  const std::string folder = std::filesystem::path(TRELLIS_PROGRAM).parent_path().string();
  const std::string path = "PATH='" + folder + "':\"$PATH\"; export PATH\n";
  return execute({"/bin/sh", "-c", path + command}, surroundings, Errors::with_output);
}

Ended run(const std::string& program, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", "-"});
  Surroundings surroundings;
  surroundings.input = program;
  return start(options, surroundings);
}

}  // namespace trellis::testing
