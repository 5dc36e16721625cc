#pragma once
// The monotonic clock that limits and timings share.

#include <chrono>

namespace trellis::run {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace trellis::run
