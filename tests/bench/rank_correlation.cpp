#include "tests/bench/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trellis::bench {
namespace {

constexpr double same = 1.05;

/// Those that share ranks each have their mean.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> sorted(values.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t k) { return values[k]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first;
    while (end < sorted.size() && values[sorted[end]] <= same * values[sorted[first]]) ++end;
    for (std::size_t k = first; k < end; ++k) ranks[sorted[k]] = static_cast<double>(first + end - 1) / 2;
    first = end;
  }
  return ranks;
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double middle = static_cast<double>(x.size() - 1) / 2;
  double both = 0, xs = 0, ys = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    both += (x[k] - middle) * (y[k] - middle);
    xs += (x[k] - middle) * (x[k] - middle);
    ys += (y[k] - middle) * (y[k] - middle);
  }
  return xs > 0 && ys > 0 ? both / std::sqrt(xs * ys) : 0;
}

}  // namespace trellis::bench
