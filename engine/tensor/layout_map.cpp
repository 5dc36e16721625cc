#include "engine/tensor/layout_map.hpp"

#include <algorithm>

namespace trellis::tensor {

LayoutMap::LayoutMap(const format::Layout& layout, const Index& shape) : shape_(shape) {
  const std::vector<math::Affine> sizes(shape.begin(), shape.end());
  std::vector<std::string> levels;
  for (const format::LevelRange& range : format::level_ranges(layout, sizes)) {
    levels.push_back(format::level_coordinate(lows_.size()));
    lows_.push_back(range.low.constant);
  }
  for (const math::Constraint& c : layout.stored) stored_.emplace_back(c, layout.dimensions);
  for (const format::Layout::Branch& b : layout.branches) {
    Branch branch;
    for (const math::Constraint& c : b.where) branch.where.emplace_back(c, layout.dimensions);
    for (const math::Affine& form : b.to) branch.to.emplace_back(form, layout.dimensions);
    for (const math::Affine& form : b.back) branch.back.emplace_back(form, levels);
    branches_.push_back(std::move(branch));
  }
}

int LayoutMap::branch(std::span<const std::int64_t> element) const {
  const auto holds = [&](const math::Comparison& c) { return c(element); };
  if (!std::ranges::all_of(stored_, holds)) return -1;
  for (std::size_t b = 0; b < branches_.size(); ++b)
    if (std::ranges::all_of(branches_[b].where, holds)) return static_cast<int>(b);
  return -1;
}

void LayoutMap::store(int branch, std::span<const std::int64_t> element, Index& levels) const {
  const Branch& by = branches_[static_cast<std::size_t>(branch)];
  levels.resize(by.to.size());
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l] = by.to[l](element) - lows_[l];
}

Index LayoutMap::kept_by(std::span<const std::int64_t> element) const {
  const std::vector<Index> all = sharing(element);
  return all.empty() ? Index(element.begin(), element.end()) : all.front();  // branches come in their order
}

std::vector<Index> LayoutMap::sharing(std::span<const std::int64_t> element) const {
  std::vector<Index> all;
  Index levels;
  const int b = branch(element);
  if (b < 0) return all;
  store(b, element, levels);
  elements(levels, [&](const Index& other) { all.push_back(other); });
  return all;
}

std::shared_ptr<const LayoutMap> mirror_of(const format::Format& format, const Index& shape) {
  const bool shares = format.layout && format.layout->branches.size() > 1;
  return shares ? std::make_shared<const LayoutMap>(*format.layout, shape) : nullptr;
}

bool LayoutMap::maps_to(int b, std::span<const std::int64_t> element, std::span<const std::int64_t> levels) const {
  for (std::size_t d = 0; d < element.size(); ++d)
    if (element[d] < 0 || element[d] >= shape_[d]) return false;
  if (branch(element) != b) return false;
  const Branch& by = branches_[static_cast<std::size_t>(b)];
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (by.to[l](element) - lows_[l] != levels[l]) return false;
  return true;
}

}  // namespace trellis::tensor
