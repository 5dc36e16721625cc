#pragma once
// How work grows: the processor time of one size over that of another, which other programs on the machine change
// little.

#include <algorithm>
#include <ctime>
#include <limits>

namespace trellis::testing {

/// Of this thread, in seconds; the least of three times.
template <class Work>
double processor_time(const Work& work) {
  const auto now = [] {
    timespec at{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
  };
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const double start = now();
    work();
    least = std::min(least, now() - start);
  }
  return least;
}

/// How many times as long the work takes at four times the size: 4 where it grows with the size, 16 where with its
/// square.
template <class Work>
double growth_at_four_times(int size, const Work& work) {
  const double small = processor_time([&] { work(size); });
  return processor_time([&] { work(4 * size); }) / small;
}

}  // namespace trellis::testing
