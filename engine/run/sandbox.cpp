#include "engine/run/sandbox.hpp"

#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <fstream>

#include "engine/run/openmp.hpp"

namespace trellis::run {
namespace {

constexpr int returned_code = 0;
constexpr int escaped_code = 125;  // the body threw

// Private writable memory of this process, which the child inherits and RLIMIT_DATA counts.
std::size_t own_data() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  for (int field = 0; field < 6; ++field) file >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void lower_limit(__rlimit_resource_t resource, rlim_t bytes) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, bytes);
  setrlimit(resource, &limit);
}

constexpr rlim_t largest_stack = 64u << 20;  // an unlimited stack would turn endless recursion into lack of memory

[[noreturn]] void live_as_child(const std::function<void()>& body, rlim_t data, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(escaped_code);  // it died before we asked to follow
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_STACK, largest_stack);
  if (limits_memory) lower_limit(RLIMIT_DATA, data);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGALRM, SIGPIPE})
    signal(number, SIG_DFL);
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group; the parent decides
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  wait_briefly();
  keep_freed_pages();
  try {
    body();
  } catch (...) { _exit(escaped_code); }
  _exit(returned_code);
}

}  // namespace

void keep_freed_pages() {
  constexpr int largest_threshold = 32 << 20;  // that glibc takes
  mallopt(M_MMAP_THRESHOLD, largest_threshold);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

pid_t fork_child(const std::function<void()>& body, std::size_t memory) {
  const std::size_t inherited = own_data();
  const rlim_t data = memory > SIZE_MAX - inherited ? RLIM_INFINITY : inherited + memory;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) live_as_child(body, data, parent);
  return child;
}

Ending ending_of_child(const Ending& ending) {
  const bool returned = ending.kind == Ending::Kind::exited && ending.code == returned_code;
  return returned ? Ending{Ending::Kind::returned} : ending;
}

Ending run_in_child(const std::function<void()>& body, const SandboxLimits& limits) {
  const Wait wait(limits.seconds, limits.cancel);
  if (wait.interrupted()) return {Ending::Kind::interrupted};
  const pid_t child = fork_child(body, limits.memory);
  if (child < 0) return {Ending::Kind::not_started, errno};
  return ending_of_child(wait.for_child(child, SIGKILL));
}

std::size_t default_memory_limit() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
}

}  // namespace trellis::run
