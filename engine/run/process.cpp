#include "engine/run/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/run/sandbox.hpp"

namespace trellis::run {
namespace {

// Messages in one language, whoever runs us.
std::vector<std::string> environment_in_english() {
  std::vector<std::string> all{"LC_ALL=C"};
  for (char** entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0) all.emplace_back(*entry);
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// To the end, or until somebody interrupts: then false.
bool read_all(int descriptor, std::uint64_t interruptions_before, std::string& text) {
  constexpr int milliseconds = 50;  // between looks at whether somebody did
  char buffer[4096];
  for (;;) {
    pollfd readable{descriptor, POLLIN, 0};
    const int ready = poll(&readable, 1, milliseconds);
    if (interruptions_so_far() != interruptions_before) return false;
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return true;
  }
}

}  // namespace

Finished run_program(const std::vector<std::string>& command) {
  const std::uint64_t interruptions_before = interruptions_so_far();
  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) return {.output = std::strerror(errno)};

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);  // compilers start programs of their own, which end with them
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

  const std::vector<std::string> environment = environment_in_english();
  pid_t child = -1;
  const int error = posix_spawnp(&child, command.front().c_str(), &files, &attributes, pointers(command).data(),
                                 pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(output[1]);

  Finished finished;
  if (error != 0) {
    finished.output = std::strerror(error);
  } else {
    finished.started = true;
    finished.interrupted = !read_all(output[0], interruptions_before, finished.output);
    if (finished.interrupted) kill(-child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  }
  close(output[0]);
  return finished;
}

}  // namespace trellis::run
