#include "engine/run/serve.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <list>
#include <vector>

#include "engine/run/sandbox.hpp"

namespace trellis::run {
namespace {

/// A message with room for a descriptor beside it.
struct Envelope {
  Request request{};
  iovec content{&request, sizeof request};
  alignas(cmsghdr) char beside[CMSG_SPACE(sizeof(int))]{};
  msghdr header{};

  Envelope() {
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = beside;
    header.msg_controllen = sizeof beside;
  }
  Envelope(const Envelope&) = delete;
};

struct Running {
  pid_t child;
  Descriptor end;     ///< readable when the child has ended
  Descriptor answer;  ///< readable when nobody waits for it
  bool killed = false;

  Running(pid_t process, int answer_to)
      : child(process), end(static_cast<int>(syscall(SYS_pidfd_open, process, 0))), answer(answer_to) {}
};

void send_ending(int answer, const Ending& ending) { send(answer, &ending, sizeof ending, MSG_NOSIGNAL); }

/// A request and where its answer goes; empty: nobody is left to ask.
struct Received {
  Request request;
  int answer;
};
std::optional<Received> receive(int requests) {
  Envelope envelope;
  ssize_t length = 0;
  while ((length = recvmsg(requests, &envelope.header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  const cmsghdr* const beside = CMSG_FIRSTHDR(&envelope.header);
  if (length != sizeof envelope.request || !beside || beside->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int answer = -1;
  std::memcpy(&answer, CMSG_DATA(beside), sizeof answer);
  return Received{envelope.request, answer};
}

void start(const Received& received, std::list<Running>& all) {
  Work& work = *received.request.work;  // whose bytes only the child looks at
  const auto body = [&work] {
    if (!take_over(work)) return;
    reach_arrays(work);
    perform(work);
  };
  const pid_t child = fork_child(body, received.request.memory);
  if (child >= 0) {
    all.emplace_back(child, received.answer);
  } else {
    const Descriptor answer(received.answer);
    send_ending(answer.get(), {Ending::Kind::not_started, errno});
  }
}

/// True: it has ended, and whoever waits for it knows.
bool see_to(Running& one, const pollfd& end, const pollfd& answer) {
  if (answer.revents != 0 || one.end.get() < 0) {
    kill(one.child, SIGKILL);
    one.killed = true;
  }
  if (end.revents == 0 && one.end.get() >= 0) return false;
  int status = 0;
  while (waitpid(one.child, &status, 0) < 0 && errno == EINTR) {}
  send_ending(one.answer.get(), ending_of_child(ending_of(status)));
  return true;
}

}  // namespace

bool send_request(int server, const Request& request, int answer) {
  Envelope envelope;
  envelope.request = request;
  cmsghdr* const beside = CMSG_FIRSTHDR(&envelope.header);
  beside->cmsg_level = SOL_SOCKET;
  beside->cmsg_type = SCM_RIGHTS;
  beside->cmsg_len = CMSG_LEN(sizeof answer);
  std::memcpy(CMSG_DATA(beside), &answer, sizeof answer);
  ssize_t sent = 0;
  while ((sent = sendmsg(server, &envelope.header, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return sent == sizeof envelope.request;
}

void serve(int requests) {
  std::list<Running> all;
  for (;;) {
    std::vector<pollfd> watched{{requests, POLLIN, 0}};
    for (const Running& one : all) {
      watched.push_back({one.end.get(), POLLIN, 0});
      watched.push_back({one.killed ? -1 : one.answer.get(), POLLIN | POLLRDHUP, 0});
    }
    if (poll(watched.data(), watched.size(), -1) < 0) continue;
    auto seen = watched.cbegin() + 1;
    std::erase_if(all, [&](Running& one) {
      const auto& end = *seen++;
      const auto& answer = *seen++;
      return see_to(one, end, answer);
    });
    if (watched.front().revents == 0) continue;
    const auto received = receive(requests);
    if (!received) _exit(0);
    start(*received, all);
  }
}

}  // namespace trellis::run
