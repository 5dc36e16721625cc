#include "engine/run/watcher.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace trellis::run {
namespace {

constexpr int not_found = 127;  // as shells say it
constexpr int lowest_priority = 19;

[[noreturn]] void become(const Program& program, pid_t watcher, Verdict& verdict) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != watcher) _exit(not_found);
  if (program.aside) setpriority(PRIO_PROCESS, 0, lowest_priority);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(program.output, STDOUT_FILENO);
  dup2(program.output, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(program.command[0], program.command, program.environment);
  verdict.error = errno;
  _exit(not_found);
}

// Until the program ends, which stays a zombie: its number is that of the group, and nobody else may get it yet.
void wait_for_end_or_word(pid_t program) {
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  for (;;) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid == program || sigwaitinfo(&heard, nullptr) == SIGTERM) return;
  }
}

// Orphans of the group are this process's children: it is their reaper. Whoever is dead writes no more files.
void end_group(pid_t program, Verdict& verdict) {
  kill(-program, SIGKILL);
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(-program, &status, 0)) > 0 || (ended < 0 && errno == EINTR);)
    if (ended == program) verdict.status = status;
}

}  // namespace

void live_as_watcher(const Program& program, pid_t parent, Verdict& verdict) {
  setpgid(0, 0);
  signal(SIGCHLD, SIG_DFL);  // ignored, it would let the program's number go
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const auto orphaned = [&] { return getppid() != parent; };
  if (!orphaned()) {
    const pid_t watcher = getpid();
    const pid_t child = fork();
    if (child == 0) become(program, watcher, verdict);
    if (child < 0) verdict.error = errno;
    if (child > 0) {
      setpgid(child, child);  // whoever is first: the group is there before it is ended
      wait_for_end_or_word(child);
      end_group(child, verdict);
    }
  }
  std::error_code error;
  if (orphaned() && *program.folder) std::filesystem::remove_all(program.folder, error);
  _exit(0);
}

}  // namespace trellis::run
