#pragma once
// Medians of repeated measurements.

#include <chrono>
#include <cmath>
#include <vector>

#include "engine/run/timing.hpp"
#include "tests/bench/contest.hpp"

namespace trellis::bench {

struct Summary {
  double median = 0;
  double deviation = 0;  ///< median absolute deviation
};

inline Summary summarise(const std::vector<double>& values) {
  const double middle = run::median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return {middle, run::median(distances)};
}

/// Milliseconds that one call takes.
template <class F>
double time_once(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// One call to warm up, then `runs` measured ones; where nothing is measured, one.
template <class F>
Summary time_repeated(int runs, F&& f) {
  if (only_once()) return {time_once(f), 0};
  f();
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(time_once(f));
  return summarise(values);
}

}  // namespace trellis::bench
