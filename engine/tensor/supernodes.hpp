#pragma once
// Supernodes of a factor: runs of neighbouring columns whose rows below the run are the same, so that they are one
// dense panel. Sources: Liu, Ng and Peyton, On finding supernodes for sparse matrix computations; Ashcraft and Grimes,
// The influence of relaxed supernode partitions on the multifrontal method; docs/design/blocks.md#supernodes.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/tensor/fill_in.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// What each column has below the diagonal, sorted, left where it is.
class ColumnsBelow {
 public:
  /// All of whose items are below it. They have to outlive this.
  ColumnsBelow(const Lists& columns);
  /// Of a pattern in {dense, compressed}, which has to outlive this; of any other nothing.
  ColumnsBelow(const Tensor& pattern);
  ColumnsBelow(const ColumnsBelow&) = delete;
  ColumnsBelow& operator=(const ColumnsBelow&) = delete;

  std::int64_t columns() const { return std::ssize(begin_); }
  std::int64_t count(std::int64_t j) const {
    return end_[static_cast<std::size_t>(j)] - begin_[static_cast<std::size_t>(j)];
  }
  std::int64_t entries() const;
  std::span<const std::int32_t> of(std::int64_t j) const {
    return {items_ + begin_[static_cast<std::size_t>(j)], static_cast<std::size_t>(count(j))};
  }

 private:
  std::vector<std::int64_t> begin_, end_;
  const std::int32_t* items_ = nullptr;
  std::vector<std::int32_t> narrowed_;  ///< of coordinates that take 64 bits
};

/// Of a closed pattern: column k with an entry in row j > k has entries in no rows below j but those of column j. Gives
/// the first column of each supernode. Column j + 1 joins j where that is its parent and has as many rows. With `relax`
/// supernodes also join the one behind that has their parent: to at most 4 columns; to 16 where fewer than 80 % of what
/// is stored then are zeros; to `relax` where fewer than 10 % are; to any number where fewer than 5 % are. What has
/// more than 192 columns is cut into parts alike. O(columns).
std::vector<std::int32_t> supernodes(const ColumnsBelow& columns, std::optional<std::int64_t> relax);

/// The columns with all rows of their supernodes from their own on: the rows that are noted for a supernode are those
/// of its last column.
RunsOfColumns panels(const ColumnsBelow& columns, const std::vector<std::int32_t>& firsts);

/// Their pattern, with the diagonal or without it. Empty when memory is refused.
std::optional<Tensor> pattern_of(const RunsOfColumns& panels, bool diagonal, const format::Format& format);

/// Of each supernode, by its number, those before it that have a row among its columns, rising: they update it. Behind
/// the last, empty lists up to the number of columns. O(noted rows + columns).
Lists updates(const RunsOfColumns& panels);

}  // namespace trellis::tensor
