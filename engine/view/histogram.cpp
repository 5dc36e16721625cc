#include "engine/view/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/view/plot.hpp"

namespace trellis::view {
namespace {

template <class Visit>
void each_value(const tensor::Tensor& tensor, const Visit& visit) {
  if (tensor.dense())
    tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) { visit(tensor.get(index).as_double()); });
  else
    tensor::for_each_listed(tensor,
                            [&](const tensor::Index&, const format::Value& value) { visit(value.as_double()); });
}

/// Around each whole number.
std::vector<double> edges_around(double least, double greatest) {
  std::vector<double> edges;
  for (double at = least; at <= greatest + 1; ++at) edges.push_back(at - 0.5);
  return edges;
}

/// Round numbers that go around all values.
std::vector<double> edges_of(double least, double greatest, int bins) {
  const std::vector<double> inner = ticks(least, greatest, bins);
  const double first = inner.empty() ? least : inner.front(), step = inner.size() > 1 ? inner[1] - first : 0;
  std::vector<double> edges;
  if (step > 0)
    for (double k = std::floor(least / step - first / step); edges.empty() || edges.back() < greatest; ++k) {
      const double edge = first + k * step;
      if (!std::isfinite(edge) || (!edges.empty() && edge <= edges.back())) break;  // closer than numbers lie there
      edges.push_back(edge);
    }
  const bool around = edges.size() > 1 && edges.front() <= least && edges.back() >= greatest;
  return around ? edges : std::vector{least, std::nextafter(greatest, std::numeric_limits<double>::infinity())};
}

}  // namespace

Histogram histogram_of(const tensor::Tensor& tensor, int bins) {
  Histogram result;
  bool whole = true;
  each_value(tensor, [&](double value) {
    result.extent.add(value);
    whole = whole && (!std::isfinite(value) || value == std::floor(value));
  });
  if (!tensor.dense()) result.not_stored = tensor.count() - result.extent.finite - result.extent.not_finite;
  if (result.extent.empty()) return result;
  const double least = result.extent.least, greatest = result.extent.greatest;
  constexpr double largest = 1e15;  // beyond, halves are lost
  result.one_each = whole && greatest - least < bins && std::max(-least, greatest) < largest;
  result.edges = result.one_each ? edges_around(least, greatest) : edges_of(least, greatest, bins);
  result.counts.assign(result.edges.size() - 1, 0);
  each_value(tensor, [&](double value) {
    if (!std::isfinite(value)) return;
    const auto above = std::ranges::upper_bound(result.edges, value) - result.edges.begin();
    ++result.counts[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(result.counts) - 1))];
  });
  return result;
}

}  // namespace trellis::view
