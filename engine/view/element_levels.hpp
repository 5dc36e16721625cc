#pragma once
// Between a tensor's elements and the coordinates of its levels, in any format; and the blocks that elements stand in.

#include <vector>

#include "engine/tensor/tensor.hpp"

namespace trellis::view {

class ElementLevels {
 public:
  explicit ElementLevels(const tensor::Tensor& tensor);

  std::size_t count() const { return sizes_.size(); }
  const tensor::Index& sizes() const { return sizes_; }
  /// What forms of a level's coordinate have more than what it stores.
  std::int64_t low(std::size_t level) const { return lows_[level]; }
  /// The coordinates of an element, as levels store them. False: the layout never stores it. `mirrored`: it has the
  /// place of another one.
  bool of(const tensor::Index& element, tensor::Index& levels, bool& mirrored) const;
  /// Those that have this place: none for padding.
  std::vector<tensor::Index> elements(const tensor::Index& levels) const;
  /// Among the values; -1: nothing is stored there.
  std::int64_t place(const tensor::Index& levels) const;

 private:
  tensor::Index by_dimension(const tensor::Index& levels) const;
  const tensor::Tensor& tensor_;
  const tensor::Tensor stored_;
  tensor::Index sizes_, lows_;
};

/// So many outer levels say which block, row or diagonal an element is stored with: those above blocks that a sparse
/// level keeps whole, those above the digits of a tiling, or all but the last.
std::size_t grouping_levels(const format::Format& format, std::size_t dimensions);

/// At which of `size` lines new groups begin: where neighbours never are in one, of `others` lines across; none where
/// that is so everywhere. `group_at(line, across)` is empty for an element of no group.
template <class GroupAt>
std::vector<bool> cuts_of(std::int64_t size, std::int64_t others, const GroupAt& group_at);

/// Before which rows and columns of a matrix a new block begins, in a layout that stores it in blocks; all false, or
/// empty, in all others. Of at most so many rows and columns.
struct BlockCuts {
  std::vector<bool> rows, columns;
};
BlockCuts block_cuts(const tensor::Tensor& matrix, std::int64_t most);

template <class GroupAt>
std::vector<bool> cuts_of(std::int64_t size, std::int64_t others, const GroupAt& group_at) {
  std::vector<bool> cuts(static_cast<std::size_t>(size));
  bool some = false, all = true;
  for (std::int64_t k = 1; k < size; ++k) {
    bool apart = true;
    for (std::int64_t other = 0; apart && other < others; ++other) {
      const auto here = group_at(k, other), before = group_at(k - 1, other);
      apart = here.empty() || before.empty() || here != before;
    }
    cuts[static_cast<std::size_t>(k)] = apart;
    some |= apart, all &= apart;
  }
  return some && !all ? cuts : std::vector<bool>(static_cast<std::size_t>(size));
}

}  // namespace trellis::view
