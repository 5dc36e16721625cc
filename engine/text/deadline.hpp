#pragma once
// How long a command may go on by itself: then the end of its work is wished for, as if somebody had interrupted it.
//
//   const Deadline limit(wish, 60);      // a command            const OffTheClock waiting;   // on a child process
//   … stop_if_cancelled(); …             // throws Cancelled     … wait …                     // which has a limit of
//   limit.passed()                       // and here is why                                   // its own

#include <chrono>

#include "engine/text/cancel.hpp"

namespace trellis::text {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// Of the work on this thread, while it lives, from now on. Those around it go on counting.
  Deadline(const Cancel& cancel, double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// The end was wished for because of it.
  bool passed() const { return passed_; }

 private:
  friend class CancelKept;
  friend class OffTheClock;
  friend void wish_the_end_if_late();
  static thread_local Deadline* innermost_;
  const Cancel cancel_;
  Clock::time_point end_;
  bool passed_ = false;
  Deadline* outer_;
};

/// Time in which somebody else works does not count.
class OffTheClock {
 public:
  OffTheClock() : since_(Deadline::Clock::now()) {}
  ~OffTheClock();
  OffTheClock(const OffTheClock&) = delete;
  OffTheClock& operator=(const OffTheClock&) = delete;

 private:
  const Deadline::Clock::time_point since_;
};

/// `stop_if_cancelled` asks it; so does work that ends in ways of its own when it is cancelled.
void wish_the_end_if_late();

}  // namespace trellis::text
