#include "tests/bench/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trellis::bench {
namespace {

/// Relative, or absolute where elements are small.
double difference(const tensor::Tensor& one, const tensor::Tensor& other) {
  double most = 0;
  tensor::for_each_index(one.shape(), [&](const tensor::Index& at) {
    const double a = one.get(at).as_double(), b = other.get(at).as_double();
    const bool same = a == b || (std::isnan(a) && std::isnan(b));
    if (!same) most = std::max(most, std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)}));
    if (!same && !std::isfinite(a - b)) most = std::numeric_limits<double>::infinity();
  });
  return most;
}

/// What takes longer to compare than to compute: many elements, few entries.
bool is_large(const tensor::Tensor& tensor) {
  double elements = 1;
  for (const std::int64_t size : tensor.shape()) elements *= static_cast<double>(size);
  return elements > 4e6;
}

}  // namespace

std::optional<double> difference(const run::Bindings* ours, const run::Bindings* theirs) {
  std::optional<double> most;
  if (!ours || !theirs) return most;
  for (const auto& [name, tensor] : ours->arrays)
    if (const auto found = theirs->arrays.find(name); found != theirs->arrays.end()) {
      const bool comparable = found->second.shape() == tensor.shape() && !is_large(tensor);
      if (comparable) most = std::max(most.value_or(0), difference(tensor, found->second));
    }
  return most;
}

}  // namespace trellis::bench
