#include "engine/run/wait.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include "engine/run/descriptor.hpp"
#include "engine/text/deadline.hpp"

namespace trellis::run {
namespace {

Clock::time_point after(double seconds) {
  const std::chrono::duration<double> longest = std::chrono::hours(24 * 365), wanted(seconds);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(wanted, longest));
}

int reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

}  // namespace

Wait::Wait(double seconds, text::Cancel cancel)
    : seconds_(seconds), deadline_(after(seconds)), cancel_(std::move(cancel)) {}

Wait::End Wait::until_readable(int descriptor) const {
  const text::OffTheClock waiting;  // the child has a limit of its own
  const Descriptor events(epoll_create1(EPOLL_CLOEXEC));
  epoll_event on_end{.events = EPOLLIN, .data = {.fd = descriptor}};
  epoll_event on_bell{.events = EPOLLIN, .data = {.fd = cancel_.bell()}};
  epoll_ctl(events.get(), EPOLL_CTL_ADD, descriptor, &on_end);
  epoll_ctl(events.get(), EPOLL_CTL_ADD, on_bell.data.fd, &on_bell);
  for (;;) {
    if (interrupted()) return End::interrupted;
    const double left = std::chrono::duration<double, std::milli>(deadline_ - Clock::now()).count();
    if (left <= 0) return End::of_time;
    epoll_event event{};
    const int count = epoll_wait(events.get(), &event, 1, static_cast<int>(std::min(std::ceil(left), 1e9)));
    if (count == 1 && event.data.fd == descriptor) return End::of_child;
  }
}

Ending Wait::for_child(pid_t child, int signal) const {
  const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));  // <sys/pidfd.h> here is for C only
  const int refused = handle.get() < 0 ? errno : 0;
  const End end = refused ? End::interrupted : until_readable(handle.get());
  if (end != End::of_child) kill(child, signal);
  const int status = reap(child);
  if (refused) return {Ending::Kind::not_started, refused};
  return judge(end, ending_of(status));
}

Ending Wait::for_word(int socket) const {
  const End end = until_readable(socket);
  if (end != End::of_child) shutdown(socket, SHUT_WR);
  Ending word{};
  ssize_t length = 0;
  while ((length = recv(socket, &word, sizeof word, 0)) < 0 && errno == EINTR) {}
  return judge(end, length == sizeof word ? word : Ending{Ending::Kind::lost});
}

Ending Wait::judge(End end, const Ending& of_child) {
  switch (end) {
    case End::of_time: return {Ending::Kind::timed_out};
    case End::interrupted: return {Ending::Kind::interrupted};
    case End::of_child: break;
  }
  return of_child;
}

Ending ending_of(int status) {
  return WIFSIGNALED(status) ? Ending{Ending::Kind::killed_by_signal, WTERMSIG(status)}
                             : Ending{Ending::Kind::exited, WEXITSTATUS(status)};
}

}  // namespace trellis::run
