#pragma once
// The monotonic clock that limits and timings share.

#include <chrono>
#include <cstdio>
#include <string>

namespace trellis::run {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A limit, as people read it.
inline std::string in_seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

}  // namespace trellis::run
