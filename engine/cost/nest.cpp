#include "engine/cost/nest.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::cost {

bool Access::moves_with(const std::string& variable) const {
  return std::ranges::any_of(path, [&](const Coordinate& c) { return c.variables.contains(variable); });
}

bool Access::is_contiguous(const std::string& variable) const {
  if (path.empty()) return false;
  for (std::size_t level = 0; level + 1 < path.size(); ++level)
    if (path[level].variables.contains(variable)) return false;
  return path.back().form && std::abs(path.back().form->coefficient(variable)) == 1;
}

double size_of(const flow::Tensor& tensor, std::size_t level, const Data& data) {
  return std::max(1.0, value_of(tensor.levels[level].size, data.sizes).value_or(usual_size));
}

double fiber_of(const flow::Tensor& tensor, std::size_t level, const Data& data) {
  const format::Facts& facts = tensor.levels[level].facts;
  const double size = size_of(tensor, level, data);
  if (facts.dense()) return size;
  const auto known = data.regions.find(tensor.name);
  if (known == data.regions.end() || level >= known->second.size())
    return facts.single ? 1 : std::min(size, usual_entries);
  const double parents = level == 0 ? 1 : known->second[level - 1];
  return parents > 0 ? known->second[level] / parents : 0;
}

}  // namespace trellis::cost
