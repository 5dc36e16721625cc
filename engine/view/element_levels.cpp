#include "engine/view/element_levels.hpp"

#include <algorithm>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/layout_map.hpp"

namespace trellis::view {

using tensor::Index;

ElementLevels::ElementLevels(const tensor::Tensor& tensor)
    : tensor_(tensor), stored_(tensor.stored()), sizes_(format::level_sizes(tensor.format(), tensor.shape())) {
  lows_.assign(sizes_.size(), 0);
  if (!tensor.format().layout) return;
  const std::vector<math::Affine> shape(tensor.shape().begin(), tensor.shape().end());
  const auto ranges = format::level_ranges(*tensor.format().layout, shape);
  for (std::size_t l = 0; l < ranges.size(); ++l) lows_[l] = ranges[l].low.constant;
}

bool ElementLevels::of(const Index& element, Index& levels, bool& mirrored) const {
  mirrored = false;
  if (const auto& map = tensor_.layout_map()) {
    const int branch = map->branch(element);
    mirrored = branch > 0;
    if (branch >= 0) map->store(branch, element, levels);
    return branch >= 0;
  }
  levels.resize(element.size());
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l] = element[format::dimension_of(tensor_.format(), l)];
  return true;
}

std::vector<Index> ElementLevels::elements(const Index& levels) const {
  std::vector<Index> all;
  if (const auto& map = tensor_.layout_map()) map->elements(levels, [&](const Index& one) { all.push_back(one); });
  else all.push_back(by_dimension(levels));
  return all;
}

std::int64_t ElementLevels::place(const Index& levels) const {
  return tensor_.format().layout ? stored_.find(levels) : tensor_.find(by_dimension(levels));
}

Index ElementLevels::by_dimension(const Index& levels) const {
  Index element(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) element[format::dimension_of(tensor_.format(), l)] = levels[l];
  return element;
}

std::size_t grouping_levels(const format::Format& format, std::size_t dimensions) {
  const std::vector<format::Facts> facts = format::facts(format);
  std::size_t above = facts.size();
  while (above > 0 && facts[above - 1].dense()) --above;
  if (above == 0 && facts.size() > dimensions) return facts.size() - dimensions;
  return above == 0 || above == facts.size() ? facts.size() - 1 : above;
}

BlockCuts block_cuts(const tensor::Tensor& matrix, std::int64_t most) {
  constexpr std::int64_t most_asked = 16;  // of the lines across: layouts are the same everywhere
  if (matrix.rank() != 2 || !matrix.format().layout) return {};
  const ElementLevels levels(matrix);
  const std::size_t grouping = grouping_levels(matrix.format(), 2);
  const auto group = [&](std::int64_t row, std::int64_t column) {
    Index all;
    bool mirrored = false;
    if (levels.of({row, column}, all, mirrored)) all.resize(grouping);
    return all;
  };
  const std::int64_t rows = std::min(matrix.shape()[0], most), columns = std::min(matrix.shape()[1], most);
  return {cuts_of(rows, std::min(columns, most_asked), group),
          cuts_of(columns, std::min(rows, most_asked), [&](std::int64_t c, std::int64_t r) { return group(r, c); })};
}

}  // namespace trellis::view
