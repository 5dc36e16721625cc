#include "engine/text/deadline.hpp"

#include <algorithm>

namespace trellis::text {
namespace {

Deadline::Clock::duration most(double seconds) {
  const std::chrono::duration<double> longest = std::chrono::hours(24 * 365), wanted(seconds);
  return std::chrono::duration_cast<Deadline::Clock::duration>(std::min(wanted, longest));
}

}  // namespace

thread_local Deadline* Deadline::innermost_ = nullptr;

Deadline::Deadline(const Cancel& cancel, double seconds)
    : cancel_(cancel), end_(Clock::now() + most(seconds)), outer_(innermost_) {
  innermost_ = this;
}

Deadline::~Deadline() { innermost_ = outer_; }

OffTheClock::~OffTheClock() {
  const auto spent = Deadline::Clock::now() - since_;
  for (Deadline* one = Deadline::innermost_; one; one = one->outer_) one->end_ += spent;
}

void wish_the_end_if_late() {
  if (!Deadline::innermost_) return;
  const auto now = Deadline::Clock::now();
  for (Deadline* one = Deadline::innermost_; one; one = one->outer_)
    if (now > one->end_) {
      one->passed_ = true;
      one->cancel_.request();
    }
}

}  // namespace trellis::text
