#pragma once
// A pipe to oneself: a signal's handler writes a byte, and a wait for keys that waits for the pipe too ends.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace trellis::repl {

struct SelfPipe {
  int ends[2] = {-1, -1};  ///< to read, to write; -1: the system gives none

  SelfPipe() {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) ends[0] = ends[1] = -1;
  }
  ~SelfPipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  SelfPipe(const SelfPipe&) = delete;
  SelfPipe& operator=(const SelfPipe&) = delete;

  /// Ctrl-C before a key is heard as poll returns, with the key: what comes behind it belongs to the next line.
  bool holds_something() const {
    pollfd waiting{ends[0], POLLIN, 0};
    return poll(&waiting, 1, 0) > 0;
  }
  void drain() const {
    char bytes[16];
    while (::read(ends[0], bytes, sizeof bytes) > 0) {}
  }
};

}  // namespace trellis::repl
