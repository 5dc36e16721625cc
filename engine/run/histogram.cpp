#include "engine/run/histogram.hpp"

#include <algorithm>

namespace trellis::run {

Histogram histogram(const Timing& timing, int bins) {
  Histogram result;
  result.bins.assign(static_cast<std::size_t>(bins), 0);
  if (timing.ms.empty()) return result;
  const auto [least, greatest] = std::ranges::minmax(timing.ms);
  result.from = least;
  result.to = timing.mad > 0 ? std::min(greatest, timing.median + 8 * timing.mad) : greatest;
  const double width = (result.to - result.from) / bins;
  for (const double ms : timing.ms) {
    if (ms > result.to) ++result.beyond;
    else
      ++result.bins[width > 0 ? std::min(static_cast<std::size_t>((ms - result.from) / width), result.bins.size() - 1)
                              : 0];
  }
  return result;
}

}  // namespace trellis::run
