#include "engine/run/timing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/run/clock.hpp"
#include "engine/run/execute.hpp"

namespace trellis::run {
namespace {

// Rounds this long, and a median that moves by less than this from one to the next, are enough.
constexpr int first_round = 5;
constexpr double still = 0.01;

void summarise(Timing& timing) {
  timing.min = *std::min_element(timing.ms.begin(), timing.ms.end());
  timing.median = median(timing.ms);
  std::vector<double> deviations;
  for (const double ms : timing.ms) deviations.push_back(std::abs(ms - timing.median));
  timing.mad = median(deviations);
  timing.outcome.run_ms = timing.median;
}

}  // namespace

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

  summarise(timing);
  return timing;
}

Timing repeat_until_stable(const Kernel& kernel, const Bindings& bindings, const Limits& limits, Patience at_most) {
  Timing all;
  double spent = 0;
  int round = std::min(first_round, at_most.runs);
  while (true) {
    const double before = all.median;
    const auto start = Clock::now();
    Timing more = repeat(kernel, bindings, limits, round);
    spent += milliseconds_since(start) / 1000;
    all.outcome = more.outcome;
    if (more.ms.empty() || more.outcome.status != Outcome::Status::ok) return all;
    all.ms.insert(all.ms.end(), more.ms.begin(), more.ms.end());
    summarise(all);
    if (before > 0 && std::abs(all.median - before) <= still * before) return all;
    const int left = at_most.runs - static_cast<int>(all.ms.size());
    if (left <= 0 || spent >= at_most.seconds) return all;
    const double affordable = (at_most.seconds - spent) / (spent / static_cast<double>(all.ms.size()));
    round = std::clamp(static_cast<int>(affordable), 1, std::min(left, static_cast<int>(all.ms.size())));
  }
}

}  // namespace trellis::run
