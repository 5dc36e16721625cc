#include "engine/view/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trellis::view {

bool is_fill(const format::Value& value, const format::Value& fill) {
  return value == fill || (std::isnan(value.real) && std::isnan(fill.real));
}

Cells cells_of(const tensor::Tensor& matrix, int most_rows, int most_columns) {
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  Cells result;
  result.rows = static_cast<int>(std::min<std::int64_t>(rows, most_rows));
  result.columns = static_cast<int>(std::min<std::int64_t>(columns, most_columns));
  result.cells.resize(static_cast<std::size_t>(result.rows) * static_cast<std::size_t>(result.columns));
  tensor::for_each_index(matrix.shape(), [&](const tensor::Index& index) {
    const auto row = static_cast<std::size_t>(index[0] * result.rows / rows), column = static_cast<std::size_t>(index[1] * result.columns / columns);
    Cells::Cell& cell = result.cells[row * static_cast<std::size_t>(result.columns) + column];
    const format::Value value = matrix.get(index);
    const double number = value.as_double();
    ++cell.elements;
    if (std::isfinite(number)) cell.sum += number, ++cell.finite;
    if (!is_fill(value, matrix.fill())) ++cell.stored, ++result.stored;
  });
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Cells::Cell& cell : result.cells)
    if (cell.finite > 0) low = std::min(low, cell.mean()), high = std::max(high, cell.mean());
  if (low <= high) result.lowest = low, result.highest = high;
  return result;
}

}  // namespace trellis::view
