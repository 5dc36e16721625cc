#pragma once
// The least and the greatest of numbers, leaving aside those that are not finite.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace trellis::view {

struct Extent {
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  std::int64_t finite = 0, not_finite = 0;

  void add(double value, std::int64_t times = 1) {
    if (!std::isfinite(value)) {
      not_finite += times;
      return;
    }
    finite += times;
    if (times > 0) least = std::min(least, value), greatest = std::max(greatest, value);
  }
  bool empty() const { return finite == 0; }
};

/// Where the value lies between two others: 0 at `low`, 1 at `high`; in the middle where those are one. Halves, since
/// the difference of large numbers may be none.
inline double fraction(double value, double low, double high) {
  return high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
}

}  // namespace trellis::view
