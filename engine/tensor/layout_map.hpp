#pragma once
// A layout at work on a tensor of certain sizes: from elements to places of the storage, and back.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/format/layout.hpp"
#include "engine/math/evaluator.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

class LayoutMap {
 public:
  LayoutMap(const format::Layout& layout, const Index& shape);

  /// Which branch says where the element is; -1: it is not stored.
  int branch(std::span<const std::int64_t> element) const;
  /// The coordinates of the levels there.
  void store(int branch, std::span<const std::int64_t> element, Index& levels) const;
  /// Calls `visit(element)` for each element that has this place: none for padding.
  template <class Visit>
  void elements(std::span<const std::int64_t> levels, const Visit& visit) const;
  /// The element whose place this one has: another one where that is the first branch's. Itself if it is not stored.
  Index kept_by(std::span<const std::int64_t> element) const;
  /// All elements that have the place of this one, which is among them.
  std::vector<Index> sharing(std::span<const std::int64_t> element) const;

 private:
  struct Branch {
    std::vector<math::Comparison> where;
    std::vector<math::Evaluator> to, back;
  };
  bool maps_to(int branch, std::span<const std::int64_t> element, std::span<const std::int64_t> levels) const;

  Index shape_;
  std::vector<std::int64_t> lows_;  ///< of the levels
  std::vector<math::Comparison> stored_;
  std::vector<Branch> branches_;
};

/// The map of a layout some of whose elements share places; else null.
std::shared_ptr<const LayoutMap> mirror_of(const format::Format& format, const Index& shape);

template <class Visit>
void LayoutMap::elements(std::span<const std::int64_t> levels, const Visit& visit) const {
  Index whole(levels.begin(), levels.end());
  for (std::size_t l = 0; l < whole.size(); ++l) whole[l] += lows_[l];
  Index element(shape_.size());
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    for (std::size_t d = 0; d < element.size(); ++d) element[d] = branches_[b].back[d](whole);
    if (maps_to(static_cast<int>(b), element, levels)) visit(element);
  }
}

}  // namespace trellis::tensor
