#include "engine/run/timing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/run/execute.hpp"

namespace trellis::run {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Timing repeat(const Kernel& kernel, const Bindings& bindings, const Limits& limits, int runs) {
  Timing timing;
  timing.ms.resize(static_cast<std::size_t>(std::max(runs, 0)) + 1);
  timing.outcome = execute_times(kernel, bindings, limits, timing.ms);
  timing.ms.erase(timing.ms.begin());  // the warm-up
  if (timing.outcome.status != Outcome::Status::ok || timing.ms.empty()) return timing;

  timing.min = *std::min_element(timing.ms.begin(), timing.ms.end());
  timing.median = median(timing.ms);
  std::vector<double> deviations;
  for (const double ms : timing.ms) deviations.push_back(std::abs(ms - timing.median));
  timing.mad = median(deviations);
  timing.outcome.run_ms = timing.median;
  return timing;
}

}  // namespace trellis::run
