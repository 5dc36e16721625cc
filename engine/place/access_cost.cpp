#include "engine/place/access_cost.hpp"

#include <algorithm>

namespace trellis::place {
namespace {

// Relative times of an access whose innermost loop walks no dimension, the last one, and another one.
constexpr double invariant = 0.25, contiguous = 1, strided = 8;

}  // namespace

double access_cost(const lang::Access& access, const std::string& innermost) {
  double cost = invariant;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    std::vector<std::string> names = lang::free_variables(access.indices[d]);
    if (std::find(names.begin(), names.end(), innermost) == names.end()) continue;
    cost = std::max(cost, d + 1 == access.indices.size() ? contiguous : strided);
  }
  return cost;
}

}  // namespace trellis::place
