#pragma once
// Repeated runs of one kernel on the same values, for benchmarks.

#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

struct Timing {
  Outcome outcome;         ///< of all runs together; `run_ms` is the median
  std::vector<double> ms;  ///< each run, in order
  double min = 0, median = 0;
  double mad = 0;  ///< median absolute deviation from the median
};

/// One warm-up that does not count, then `runs` runs, in one child. Before each, the written arrays are put back as
/// they were, outside the clock; afterwards they hold one run's results. The limits apply to all runs together.
Timing repeat(const Kernel& kernel, const Bindings& bindings, const Limits& limits, int runs);

/// As `repeat`, in rounds until the median no longer moves; `at_most` gives bounds in runs and in seconds (of measured
/// time, one round more or less).
struct Patience {
  int runs = 200;
  double seconds = 1;
};
Timing repeat_until_stable(const Kernel& kernel, const Bindings& bindings, const Limits& limits, Patience at_most);

/// Sorts a copy; 0 for no values.
double median(std::vector<double> values);

}  // namespace trellis::run
