#pragma once
// How long this process waits for its children, kernels and compilers alike: until a deadline, or until the end is
// wished for. And how a child ended.

#include <sys/types.h>

#include "engine/run/clock.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::run {

struct Ending {
  /// lost: whoever should have told died.
  enum class Kind { returned, exited, killed_by_signal, timed_out, interrupted, not_started, lost } kind;
  int code = 0;  ///< exited: its exit code; killed_by_signal: which; not_started: errno
};

/// As waitpid tells it: exited, killed_by_signal.
Ending ending_of(int status);

class Wait {
 public:
  /// Begins now.
  explicit Wait(double seconds, text::Cancel cancel = {});

  bool interrupted() const { return cancel_.requested(); }
  double seconds() const { return seconds_; }

  /// Waits for a child and reaps it. At the deadline, or interrupted, tells it by `signal` to end.
  Ending for_child(pid_t child, int signal) const;
  /// Waits for an Ending that another process sends. At the deadline, or interrupted, tells it by the end of what it
  /// can read to see to the end, for which this still waits.
  Ending for_word(int socket) const;

 private:
  enum class End { of_child, of_time, interrupted };
  End until_readable(int descriptor) const;
  static Ending judge(End end, const Ending& of_child);

  double seconds_;
  Clock::time_point deadline_;
  text::Cancel cancel_;
};

}  // namespace trellis::run
