#include "engine/run/server.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "engine/run/descriptor.hpp"
#include "engine/run/serve.hpp"
#include "engine/tensor/arena.hpp"

namespace trellis::run {
namespace {

std::atomic<pid_t> server = 0;
int requests = -1;  ///< to the server; open for good: another thread may be about to use it

[[noreturn]] void live_as_server(int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group; the program decides
  serve(socket);
}

/// Of a server that does not do what it should, most likely since it is dead.
void do_without(pid_t process) {
  pid_t known = process;
  if (!server.compare_exchange_strong(known, 0)) return;
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace

bool start_server() {
  int ends[2];
  if (server_process() != 0) return true;
  if (!tensor::Arena::open() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    live_as_server(ends[1], parent);
  }
  close(ends[1]);
  requests = ends[0];
  server = std::max(child, 0);
  return child > 0;
}

pid_t server_process() { return server; }

std::optional<Ending> run_in_server(Work& work, const SandboxLimits& limits) {
  const pid_t process = server_process();
  if (process == 0 || !can_be_handed_over(work)) return std::nullopt;
  const Wait wait(limits.seconds, limits.cancel);
  if (wait.interrupted()) return Ending{Ending::Kind::interrupted};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  const Descriptor mine(ends[0]);
  {
    const Descriptor its(ends[1]);
    if (!send_request(requests, {&work, limits.memory}, its.get())) {
      do_without(process);
      return std::nullopt;
    }
  }
  // The child holds its end of the socket too: when there is nothing more to read, both have died.
  const Ending ending = wait.for_word(mine.get());
  if (ending.kind == Ending::Kind::lost) do_without(process);
  const bool stopped = ending.kind == Ending::Kind::timed_out || ending.kind == Ending::Kind::interrupted;
  if (!work.report.begun && !stopped) return std::nullopt;
  return ending;
}

}  // namespace trellis::run
