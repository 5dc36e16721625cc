#pragma once
// A matrix whose entries stand in Morton's order, so that any part of it is seen at any resolution, in time that grows
// with what is shown and not with what is stored.
//
//   level 0: one cell     level 1: 0 | 1     level 2: 00 | 01 | …     the last level: each element is a cell
//                                  2 | 3
//
// A cell is a run of entries, which two searches find; what they sum up to is a difference of two running sums.
// After G. M. Morton, A computer oriented geodetic data base and a new technique in file sequencing, 1966.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor/tensor.hpp"
#include "engine/view/bandwidth.hpp"
#include "engine/view/cells.hpp"

namespace trellis::view {

class ZOrder {
 public:
  /// `matrix` has two dimensions, none of them 0. Of a dense one those elements are entries that differ from its fill,
  /// else those that are listed. Empty: there are more than `most` entries. Can be cancelled.
  static std::optional<ZOrder> of(const tensor::Tensor& matrix, std::int64_t most);

  int levels() const;  ///< the last one, at which a cell is an element
  /// Elements of a cell: rows, columns. Each level halves both, as far as there are several.
  std::array<std::int64_t, 2> cell(int level) const;
  /// Cells, counted in the same way.
  struct Part {
    std::int64_t row = 0, column = 0, rows = 0, columns = 0;
    bool operator==(const Part&) const = default;
  };
  Part all(int level) const;
  /// What is within the matrix of a part of it; without the extent of elements, and what is padded.
  Cells cells(int level, const Part& part) const;
  const Bandwidth& bandwidth() const { return band_; }
  std::int64_t entries() const { return static_cast<std::int64_t>(keys_.size()); }

 private:
  struct Seen;
  struct Cell;
  using Key = std::uint64_t;
  int bits(std::size_t dimension, int level) const { return std::min(bits_[dimension], level); }
  Key key(std::int64_t row, std::int64_t column) const;
  void descend(Seen& seen, const Cell& cell) const;
  void add(Seen& seen, const Cell& cell) const;

  std::array<std::int64_t, 2> shape_{};
  std::array<int, 2> bits_{};  ///< of a coordinate
  double fill_ = 0;
  std::vector<Key> keys_;
  std::vector<double> sums_;             ///< of the finite entries before each, and of all at the end
  std::vector<std::size_t> not_finite_;  ///< places of the others
  Bandwidth band_;
};

}  // namespace trellis::view
