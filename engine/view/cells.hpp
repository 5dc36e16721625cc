#pragma once
// A matrix seen from afar: as many cells as a picture has room for, each standing for a block of elements.

#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.hpp"
#include "engine/view/extent.hpp"

namespace trellis::view {

struct Cells {
  struct Cell {
    double sum = 0;           ///< of the finite elements
    std::int64_t finite = 0;  ///< how many there are
    std::int64_t elements = 0;
    std::int64_t stored = 0;   ///< that differ from the fill; of a sparse matrix, that are stored
    std::int64_t padding = 0;  ///< that are stored besides, at the fill, as a level stores what nobody listed
    double mean() const { return sum / static_cast<double>(finite); }
    double density() const { return elements == 0 ? 0 : static_cast<double>(stored) / static_cast<double>(elements); }
  };
  int rows = 0, columns = 0;
  std::vector<Cell> cells;
  std::int64_t block_rows = 0, block_columns = 0;  ///< of elements, that the largest cell stands for
  double lowest = 0, highest = 0;                  ///< of the means of the cells that have one
  Extent extent;                                   ///< of the elements themselves
  std::int64_t stored = 0, padding = 0;
  bool aggregates() const { return block_rows > 1 || block_columns > 1; }

  const Cell& at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
};

/// `matrix` has two dimensions.
Cells cells_of(const tensor::Tensor& matrix, int most_rows, int most_columns);

/// Whether the element is what the tensor holds where nothing is stored.
bool is_fill(const format::Value& value, const format::Value& fill);

}  // namespace trellis::view
