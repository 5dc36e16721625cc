#pragma once
// Times of many runs as a histogram. Runs that another process has disturbed are far out: what lies beyond the median
// and eight times the spread is counted, not drawn.

#include <vector>

#include "engine/run/timing.hpp"

namespace trellis::run {

struct Histogram {
  double from = 0, to = 0;  ///< ms; the bins are of equal width
  std::vector<int> bins;
  int beyond = 0;  ///< runs slower than `to`
};

Histogram histogram(const Timing& timing, int bins);

}  // namespace trellis::run
