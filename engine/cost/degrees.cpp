#include "engine/cost/degrees.hpp"

#include <algorithm>
#include <numeric>

namespace trellis::cost {

double Degrees::together(std::vector<Key> of) {
  if (of.size() < 2) return 1;
  std::ranges::sort(of);
  if (const auto found = known_.find(of); found != known_.end()) return found->second;
  std::vector<double> product(of.front()->size(), 1.0);
  for (const Key& degrees : of) {
    const double all = std::accumulate(degrees->begin(), degrees->end(), 0.0);
    if (degrees->size() != product.size() || all <= 0) return 1;
    for (std::size_t x = 0; x < product.size(); ++x) product[x] *= (*degrees)[x] / all;
  }
  constexpr std::size_t most = 256;
  if (known_.size() >= most) known_.clear();
  return known_[std::move(of)] = std::accumulate(product.begin(), product.end(), 0.0);
}

}  // namespace trellis::cost
