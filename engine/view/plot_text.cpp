// Pictures of letters: dots of Braille where each element gets its own, shades where a letter stands for many.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/tensor/allocate.hpp"
#include "engine/view/cells.hpp"
#include "engine/view/plot.hpp"

namespace trellis::view {

namespace {

constexpr int most_columns = 80, most_rows = 40;

/// Dots, two by four to a letter.
class Dots {
 public:
  Dots(int width, int height) : columns_((width + 1) / 2), rows_((height + 3) / 4), letters_(static_cast<std::size_t>(columns_ * rows_)) {}

  void set(int x, int y) {
    static constexpr std::array<std::array<unsigned, 2>, 4> bits{{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    letters_[static_cast<std::size_t>(y / 4 * columns_ + x / 2)] |= bits[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
  }

  int rows() const { return rows_; }
  std::string row(int r) const {
    std::string out;
    for (int c = 0; c < columns_; ++c) {
      const unsigned letter = letters_[static_cast<std::size_t>(r * columns_ + c)];
      // U+2800 and on, in UTF-8.
      out += {'\xE2', static_cast<char>(0xA0 + (letter >> 6)), static_cast<char>(0x80 + (letter & 0x3F))};
    }
    return out;
  }

 private:
  int columns_, rows_;
  std::vector<unsigned> letters_;
};

const char* shade(double share) {
  static constexpr std::array<const char*, 5> shades{"·", "░", "▒", "▓", "█"};
  return shades[static_cast<std::size_t>(std::clamp(share * 5, 0.0, 4.0))];
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string summary(const tensor::Tensor& matrix, const std::string& name, std::int64_t stored) {
  const auto count = static_cast<double>(matrix.count());
  return name + ": " + tensor::shape_text(matrix.shape()) + ", " + std::to_string(stored) + (stored == 1 ? " element " : " elements ") +
         (!matrix.dense() ? "stored" : stored == 1 ? "differs from the fill" : "differ from the fill") + (count > 0 ? " (" + number(100 * static_cast<double>(stored) / count) + " %)" : "") + "\n";
}

/// Letters are about twice as high as wide.
std::pair<int, int> letters_for(const tensor::Index& shape) {
  const auto rows = static_cast<double>(shape[0]), columns = static_cast<double>(shape[1]);
  const double scale = std::min({1.0, most_columns / std::max(1.0, columns), 2 * most_rows / std::max(1.0, rows)});
  return {std::clamp(static_cast<int>(std::ceil(rows * scale / 2)), 1, most_rows), std::clamp(static_cast<int>(std::ceil(columns * scale)), 1, most_columns)};
}

}  // namespace

std::string spy_sketch(const tensor::Tensor& matrix, const std::string& name) {
  const bool each = matrix.shape()[0] <= 4 * most_rows && matrix.shape()[1] <= 2 * most_columns;
  if (each) {
    const Cells cells = cells_of(matrix, 4 * most_rows, 2 * most_columns);
    Dots dots(cells.columns, cells.rows);
    for (int r = 0; r < cells.rows; ++r)
      for (int c = 0; c < cells.columns; ++c)
        if (cells.at(r, c).stored > 0) dots.set(c, r);
    std::string out;
    for (int r = 0; r < dots.rows(); ++r) out += dots.row(r) + "\n";
    return out + summary(matrix, name, cells.stored);
  }
  const auto [rows, columns] = letters_for(matrix.shape());
  const Cells cells = cells_of(matrix, rows, columns);
  double most = 0;
  for (const Cells::Cell& cell : cells.cells) most = std::max(most, cell.density());
  std::string out;
  for (int r = 0; r < cells.rows; ++r) {
    for (int c = 0; c < cells.columns; ++c) out += cells.at(r, c).stored == 0 ? " " : shade(cells.at(r, c).density() / most);
    out += "\n";
  }
  return out + summary(matrix, name, cells.stored);
}

std::string heat_sketch(const tensor::Tensor& matrix, const std::string& name) {
  // Small matrices get two letters an element, which is about a square.
  const bool small = matrix.shape()[0] <= most_rows && 2 * matrix.shape()[1] <= most_columns;
  const auto [rows, columns] = small ? std::pair(most_rows, most_columns) : letters_for(matrix.shape());
  const Cells cells = cells_of(matrix, rows, columns);
  const double range = cells.highest - cells.lowest;
  std::string out;
  for (int r = 0; r < cells.rows; ++r) {
    for (int c = 0; c < cells.columns; ++c) {
      const Cells::Cell& cell = cells.at(r, c);
      const std::string letter = cell.finite == 0 ? "?" : shade(range > 0 ? (cell.mean() - cells.lowest) / range : 0);
      out += small ? letter + letter : letter;
    }
    out += "\n";
  }
  return out + name + ": " + tensor::shape_text(matrix.shape()) + ", from " + shade(0) + " " + number(cells.lowest) + " to " + shade(1) + " " +
         number(cells.highest) + "\n";
}

std::string line_sketch(const tensor::Tensor& vector, const std::string& name) {
  constexpr int width = 2 * 66, height = 4 * 12;
  const std::int64_t n = vector.count();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto value = [&](std::int64_t i) { return vector.get(tensor::Index{i}).as_double(); };
  for (std::int64_t i = 0; i < n; ++i)
    if (std::isfinite(value(i))) low = std::min(low, value(i)), high = std::max(high, value(i));
  if (!(low <= high)) return name + ": " + tensor::shape_text(vector.shape()) + ", nothing to draw\n";
  Dots dots(width, height);
  const auto row = [&](double v) { return static_cast<int>(std::lround((high > low ? (high - v) / (high - low) : 0.5) * (height - 1))); };
  const auto column = [&](std::int64_t i) { return n == 1 ? 0 : static_cast<int>(static_cast<double>(i) * (width - 1) / static_cast<double>(n - 1)); };
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(value(i))) continue;
    dots.set(column(i), row(value(i)));
    if (i == 0 || !std::isfinite(value(i - 1))) continue;
    const int x0 = column(i - 1), y0 = row(value(i - 1)), x1 = column(i), y1 = row(value(i));
    const int steps = std::max({1, x1 - x0, std::abs(y1 - y0)});
    for (int s = 0; s < steps; ++s) dots.set(x0 + (x1 - x0) * s / steps, y0 + (y1 - y0) * s / steps);
  }
  std::string out;
  for (int r = 0; r < dots.rows(); ++r) {
    const std::string label = r == 0 ? number(high) : r + 1 == dots.rows() ? number(low) : "";
    out += std::string(std::max<std::size_t>(11, label.size()) - label.size(), ' ') + label + " │" + dots.row(r) + "\n";
  }
  return out + name + ": 0 to " + std::to_string(n - 1) + "\n";
}

}  // namespace trellis::view
