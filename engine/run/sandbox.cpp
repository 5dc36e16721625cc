#include "engine/run/sandbox.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <fstream>

#include "engine/run/clock.hpp"
#include "engine/run/kernel.hpp"

namespace trellis::run {
namespace {

constexpr int returned_code = 0;
constexpr int escaped_code = 125;  // the body threw

// interrupt() must be safe in a signal handler, so it only counts and rings. Every waiting thread hears the bell, and
// looks whether the count went up since its own child began.
std::atomic<int> bell{-1};
std::atomic<std::uint64_t> interruptions{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

int bell_descriptor() {
  static const int descriptor = [] {
    const int made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bell = made;
    return made;
  }();
  return descriptor;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

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
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGALRM, SIGPIPE}) signal(number, SIG_DFL);
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group; the parent decides
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  try {
    body();
  } catch (...) {
    _exit(escaped_code);
  }
  _exit(returned_code);
}

// Waits on the child's pidfd and the bell; true when the child has ended by itself.
bool wait_for_end(int child, std::uint64_t interruptions_before, Clock::time_point deadline, Ending::Kind& why_not) {
  const Descriptor events(epoll_create1(EPOLL_CLOEXEC));
  epoll_event on_end{.events = EPOLLIN, .data = {.fd = child}};
  epoll_event on_bell{.events = EPOLLIN | EPOLLET, .data = {.fd = bell_descriptor()}};  // edges: nobody resets the bell
  epoll_ctl(events.get(), EPOLL_CTL_ADD, child, &on_end);
  epoll_ctl(events.get(), EPOLL_CTL_ADD, bell_descriptor(), &on_bell);
  for (;;) {
    if (interruptions != interruptions_before) {
      why_not = Ending::Kind::interrupted;
      return false;
    }
    const double left = std::chrono::duration<double, std::milli>(deadline - Clock::now()).count();
    if (left <= 0) {
      why_not = Ending::Kind::timed_out;
      return false;
    }
    epoll_event event{};
    const int count = epoll_wait(events.get(), &event, 1, static_cast<int>(std::min(std::ceil(left), 1e9)));
    if (count == 1 && event.data.fd == child) return true;
  }
}

int reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Clock::time_point after(double seconds) {
  const std::chrono::duration<double> longest = std::chrono::hours(24 * 365);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(std::chrono::duration<double>(seconds), longest));
}

}  // namespace

Ending run_in_child(const std::function<void()>& body, const SandboxLimits& limits) {
  bell_descriptor();
  const std::uint64_t interruptions_before = interruptions;
  if (limits.cancelled && limits.cancelled()) return {Ending::Kind::interrupted};
  const std::size_t inherited = own_data();
  const rlim_t data = limits.memory > SIZE_MAX - inherited ? RLIM_INFINITY : inherited + limits.memory;
  const Clock::time_point deadline = after(limits.seconds);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return {Ending::Kind::not_started, errno};
  if (child == 0) live_as_child(body, data, parent);

  const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));  // <sys/pidfd.h> here is for C only
  if (handle.get() < 0) {
    const int reason = errno;
    kill(child, SIGKILL);
    reap(child);
    return {Ending::Kind::not_started, reason};
  }
  Ending::Kind why_killed{};
  const bool ended = wait_for_end(handle.get(), interruptions_before, deadline, why_killed);
  if (!ended) kill(child, SIGKILL);
  const int status = reap(child);
  if (!ended) return {why_killed};
  if (WIFSIGNALED(status)) return {Ending::Kind::killed_by_signal, WTERMSIG(status)};
  if (WEXITSTATUS(status) == returned_code) return {Ending::Kind::returned};
  return {Ending::Kind::exited, WEXITSTATUS(status)};
}

std::uint64_t interruptions_so_far() { return interruptions; }

std::size_t default_memory_limit() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
}

void interrupt() {
  const int saved = errno;
  interruptions.fetch_add(1);
  const std::uint64_t one = 1;
  if (const int descriptor = bell.load(); descriptor >= 0)
    static_cast<void>(write(descriptor, &one, sizeof one) == sizeof one);
  errno = saved;
}

}  // namespace trellis::run
