#pragma once
// Repeated runs of one kernel on the same values, for benchmarks.

#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

struct Timing {
  Outcome outcome;         ///< of all runs together; `run_ms` is the median
  std::vector<double> ms;  ///< each run, in order
  double min = 0, median = 0;
  double mad = 0;          ///< median absolute deviation from the median
};

/// One warm-up that does not count, then `runs` runs, in one child. Before each, the written arrays are put back as they
/// were, outside the clock; afterwards they hold one run's results. The limits apply to all runs together.
Timing repeat(const Kernel& kernel, const Bindings& bindings, const Limits& limits, int runs);

/// Sorts a copy; 0 for no values.
double median(std::vector<double> values);

}  // namespace trellis::run
