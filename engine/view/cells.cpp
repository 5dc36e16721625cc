#include "engine/view/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tensor/for_each_entry.hpp"

namespace trellis::view {

bool is_fill(const format::Value& value, const format::Value& fill) {
  return value == fill || (std::isnan(value.real) && std::isnan(fill.real));
}

Cells cells_of(const tensor::Tensor& matrix, int most_rows, int most_columns) {
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  Cells result;
  result.rows = static_cast<int>(std::min<std::int64_t>(rows, most_rows));
  result.columns = static_cast<int>(std::min<std::int64_t>(columns, most_columns));
  if (result.rows > 0) result.block_rows = (rows + result.rows - 1) / result.rows;
  if (result.columns > 0) result.block_columns = (columns + result.columns - 1) / result.columns;
  result.cells.resize(static_cast<std::size_t>(result.rows) * static_cast<std::size_t>(result.columns));
  const auto cell_of = [&](const tensor::Index& index) -> Cells::Cell& {
    const auto row = static_cast<std::size_t>(index[0] * result.rows / rows),
               column = static_cast<std::size_t>(index[1] * result.columns / columns);
    return result.cells[row * static_cast<std::size_t>(result.columns) + column];
  };
  const auto add = [&](Cells::Cell& cell, const format::Value& value, std::int64_t times) {
    const double number = value.as_double();
    cell.elements += times;
    result.extent.add(number, times);
    if (std::isfinite(number)) cell.sum += number * static_cast<double>(times), cell.finite += times;
  };
  const auto add_element = [&](const tensor::Index& index, const format::Value& value) {
    Cells::Cell& cell = cell_of(index);
    add(cell, value, 1);
    if (!matrix.dense() || !is_fill(value, matrix.fill())) ++cell.stored, ++result.stored;
  };
  if (matrix.dense()) {
    tensor::for_each_index(matrix.shape(), [&](const tensor::Index& index) { add_element(index, matrix.get(index)); });
  } else {
    tensor::for_each_listed(matrix, add_element);
    // What is stored and was not listed.
    if (format::pads(matrix.format()))
      tensor::for_each_element(matrix, [&](const tensor::Index& index, std::int64_t) { ++cell_of(index).padding; });
    for (Cells::Cell& cell : result.cells) {
      cell.padding = std::max<std::int64_t>(0, cell.padding - cell.stored);
      result.padding += cell.padding;
    }
    // Each cell's first row and column: the least k with k * cells / size at the cell.
    const auto begin = [](int cell, std::int64_t size, int cells) { return (cell * size + cells - 1) / cells; };
    for (int r = 0; r < result.rows; ++r)
      for (int c = 0; c < result.columns; ++c) {
        Cells::Cell& cell = result.cells[static_cast<std::size_t>(r) * static_cast<std::size_t>(result.columns) +
                                         static_cast<std::size_t>(c)];
        const std::int64_t elements = (begin(r + 1, rows, result.rows) - begin(r, rows, result.rows)) *
                                      (begin(c + 1, columns, result.columns) - begin(c, columns, result.columns));
        add(cell, matrix.fill(), std::max<std::int64_t>(0, elements - cell.elements));
      }
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Cells::Cell& cell : result.cells)
    if (cell.finite > 0) low = std::min(low, cell.mean()), high = std::max(high, cell.mean());
  if (low <= high) result.lowest = low, result.highest = high;
  return result;
}

}  // namespace trellis::view
