// Pictures of letters: dots of Braille where each element gets its own, shades where a letter stands for many.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "engine/tensor/allocate.hpp"
#include "engine/text/fit.hpp"
#include "engine/view/captions.hpp"
#include "engine/view/cells.hpp"
#include "engine/view/element_levels.hpp"
#include "engine/view/plot.hpp"

namespace trellis::view {

namespace {

constexpr int most_columns = 80, most_rows = 37;  // of letters; below them stand the axis, its ends and a caption

using Lines = std::vector<std::string>;

/// Dots, two by four to a letter.
class Dots {
 public:
  Dots(int width, int height)
      : columns_((width + 1) / 2), rows_((height + 3) / 4), letters_(static_cast<std::size_t>(columns_ * rows_)) {}

  void set(int x, int y) {
    static constexpr std::array<std::array<unsigned, 2>, 4> bits{
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    letters_[static_cast<std::size_t>(y / 4 * columns_ + x / 2)] |=
        bits[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
  }

  Lines lines() const {
    Lines all;
    for (int r = 0; r < rows_; ++r) all.push_back(row(r));
    return all;
  }

 private:
  std::string row(int r) const {
    std::string out;
    for (int c = 0; c < columns_; ++c) {
      const unsigned letter = letters_[static_cast<std::size_t>(r * columns_ + c)];
      // U+2800 and on, in UTF-8.
      out += {'\xE2', static_cast<char>(0xA0 + (letter >> 6)), static_cast<char>(0x80 + (letter & 0x3F))};
    }
    return out;
  }

  int columns_, rows_;
  std::vector<unsigned> letters_;
};

const char* shade(double share) {
  static constexpr std::array<const char*, 5> shades{"·", "░", "▒", "▓", "█"};
  return shades[static_cast<std::size_t>(std::clamp(share * 5, 0.0, 4.0))];
}

/// Lines between axes that say where the first and the last of each dimension are.
///
///     0 │⠑⢄
///     3 │
///       └──
///        0 3
std::string with_axes(const Lines& lines, const std::string& first, const std::string& last, std::int64_t columns) {
  const std::size_t margin = std::max(first.size(), last.size());
  std::string out;
  for (std::size_t r = 0; r < lines.size(); ++r) {
    const std::string label = r == 0 ? first : r + 1 == lines.size() ? last : "";
    out += padded(label, margin) + " │" + lines[r] + "\n";
  }
  const auto width = static_cast<std::size_t>(lines.empty() ? 0 : text::width_of(lines.front()));
  std::string line;
  for (std::size_t c = 0; c < width; ++c) line += "─";
  const std::string end = columns > 1 ? std::to_string(columns - 1) : "";
  const std::size_t gap =
      columns > 1 ? std::max<std::size_t>(1, width > end.size() + 1 ? width - 1 - end.size() : 1) : 0;
  return out + std::string(margin + 1, ' ') + "└" + line + "\n" + std::string(margin + 2, ' ') +
         (columns > 0 ? "0" : "") + std::string(gap, ' ') + end + "\n";
}

std::string with_axes(const Lines& lines, const tensor::Index& shape) {
  const bool one = lines.size() < 2;
  return with_axes(lines, one && shape[0] > 1 ? "0.." + std::to_string(shape[0] - 1) : "0",
                   std::to_string(shape[0] - 1), shape[1]);
}

/// What `with_axes` puts at most before the letters of a matrix of so many rows.
int margin_of(std::int64_t rows) {
  return static_cast<int>(rows > 1 ? ("0.." + std::to_string(rows - 1)).size() : 1) + 2;
}

/// Letters are about twice as high as wide.
std::pair<int, int> letters_for(const tensor::Index& shape) {
  const auto rows = static_cast<double>(shape[0]), columns = static_cast<double>(shape[1]);
  const int widest = most_columns - margin_of(shape[0]);
  const double scale = std::min({1.0, widest / std::max(1.0, columns), 2 * most_rows / std::max(1.0, rows)});
  return {std::clamp(static_cast<int>(std::ceil(rows * scale / 2)), 1, most_rows),
          std::clamp(static_cast<int>(std::ceil(columns * scale)), 1, widest)};
}

template <class LetterOf>
Lines lines_of(const Cells& cells, const LetterOf& letter_of) {
  Lines lines(static_cast<std::size_t>(cells.rows));
  for (int r = 0; r < cells.rows; ++r)
    for (int c = 0; c < cells.columns; ++c) lines[static_cast<std::size_t>(r)] += letter_of(cells.at(r, c));
  return lines;
}

/// `; a letter is the mean of up to 13 x 25 elements, from · 0 to █ 25`, or what the shades are of.
std::string legend(const std::string& what, double low, double high) {
  return what + ", from " + shade(0) + " " + short_number(low) + " to " + shade(1) + " " + short_number(high) + "\n";
}

std::string blocks(const Cells& cells) {
  return std::to_string(cells.block_rows) + " x " + std::to_string(cells.block_columns) + " elements";
}

/// A letter's place for each element of a matrix in blocks, and lines between these; empty where there are none, or no
/// room.
///
///     0 │██░░│
///       │────┼────
///     3 │    │░░██
Lines block_lines(const tensor::Tensor& matrix) {
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  if (rows > most_rows || 2 * columns > most_columns) return {};
  const BlockCuts cuts = block_cuts(matrix, most_columns);
  const auto row_cuts = std::ranges::count(cuts.rows, true), column_cuts = std::ranges::count(cuts.columns, true);
  const bool fits = rows + row_cuts <= most_rows && 2 * columns + column_cuts <= most_columns - margin_of(rows);
  if (!fits || row_cuts + column_cuts == 0) return {};
  const Cells cells = cells_of(matrix, most_rows, most_columns);
  Lines lines;
  for (int r = 0; r < cells.rows; ++r) {
    std::string line, between;
    for (int c = 0; c < cells.columns; ++c) {
      const Cells::Cell& cell = cells.at(r, c);
      if (cuts.columns[static_cast<std::size_t>(c)]) line += "│", between += "┼";
      line += cell.stored > 0 ? "██" : cell.padding > 0 ? "░░" : "  ";
      between += "──";
    }
    if (cuts.rows[static_cast<std::size_t>(r)]) lines.push_back(between);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::string spy_sketch(const tensor::Tensor& matrix, const std::string& name) {
  if (const Lines lines = block_lines(matrix); !lines.empty()) {
    const Cells cells = cells_of(matrix, most_rows, most_columns);
    return with_axes(lines, matrix.shape()) + spy_caption(cells, matrix, name) + (cells.padding > 0 ? " ░" : "") + "\n";
  }
  const int widest = 2 * (most_columns - margin_of(matrix.shape()[0]));
  if (matrix.shape()[0] <= 4 * most_rows && matrix.shape()[1] <= widest) {
    const Cells cells = cells_of(matrix, 4 * most_rows, widest);
    Dots dots(cells.columns, cells.rows);
    for (int r = 0; r < cells.rows; ++r)
      for (int c = 0; c < cells.columns; ++c)
        if (cells.at(r, c).stored > 0) dots.set(c, r);
    return with_axes(dots.lines(), matrix.shape()) + spy_caption(cells, matrix, name) + "\n";
  }
  const auto [rows, columns] = letters_for(matrix.shape());
  const Cells cells = cells_of(matrix, rows, columns);
  double most = 0;
  for (const Cells::Cell& cell : cells.cells) most = std::max(most, cell.density());
  const Lines lines =
      lines_of(cells, [&](const Cells::Cell& cell) { return cell.stored == 0 ? " " : shade(cell.density() / most); });
  const std::string share = std::string(shade(1)) + " " + short_number(100 * most) + " % of up to " + blocks(cells);
  return with_axes(lines, matrix.shape()) + spy_caption(cells, matrix, name) + "; blank: none, " + share + "\n";
}

std::string heat_sketch(const tensor::Tensor& matrix, const std::string& name) {
  // Small matrices get two letters an element, which is about a square.
  const int widest = most_columns - margin_of(matrix.shape()[0]);
  const bool small = matrix.shape()[0] <= most_rows && 2 * matrix.shape()[1] <= widest;
  const auto [rows, columns] = small ? std::pair(most_rows, widest) : letters_for(matrix.shape());
  const Cells cells = cells_of(matrix, rows, columns);
  const bool flat = cells.highest == cells.lowest;
  const Lines lines = lines_of(cells, [&](const Cells::Cell& cell) {
    const std::string letter =
        cell.finite == 0 ? "?" : shade(flat ? 0 : fraction(cell.mean(), cells.lowest, cells.highest));
    return small ? letter + letter : letter;
  });
  const std::string axes = with_axes(lines, matrix.shape()), whole = caption(cells.extent, matrix, name);
  if (cells.extent.empty()) return axes + whole + "\n";
  if (!cells.aggregates())
    return axes + legend(name + ": " + tensor::shape_text(matrix.shape()), cells.lowest, cells.highest);
  return axes + whole + "\n" + legend("each letter is the mean of up to " + blocks(cells), cells.lowest, cells.highest);
}

std::string line_sketch(const tensor::Tensor& vector, const std::string& name) {
  constexpr int width = 2 * 66, height = 4 * 12;
  const std::int64_t n = vector.count();
  const Extent extent = extent_of(vector);
  if (extent.empty()) return caption(extent, vector, name) + ", nothing to draw\n";
  const auto value = [&](std::int64_t i) { return vector.get(tensor::Index{i}).as_double(); };
  Dots dots(width, height);
  const double low = extent.least, high = extent.greatest;
  const auto row = [&](double v) { return static_cast<int>(std::lround((1 - fraction(v, low, high)) * (height - 1))); };
  const auto column = [&](std::int64_t i) {
    return n == 1 ? 0 : static_cast<int>(static_cast<double>(i) * (width - 1) / static_cast<double>(n - 1));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(value(i))) continue;
    dots.set(column(i), row(value(i)));
    if (i == 0 || !std::isfinite(value(i - 1))) continue;
    const int x0 = column(i - 1), y0 = row(value(i - 1)), x1 = column(i), y1 = row(value(i));
    const int steps = std::max({1, x1 - x0, std::abs(y1 - y0)});
    for (int s = 0; s < steps; ++s) dots.set(x0 + (x1 - x0) * s / steps, y0 + (y1 - y0) * s / steps);
  }
  return with_axes(dots.lines(), padded(short_number(high), 10), padded(short_number(low), 10), n) +
         caption(extent, vector, name) + "\n";
}

std::string bar_sketch(const Histogram& histogram, const std::string& name) {
  constexpr int longest = 40;
  std::string out;
  std::size_t edge_width = 0, count_width = 0;
  const auto label = [&](std::size_t k) { return short_number(histogram.edges[k] + (histogram.one_each ? 0.5 : 0)); };
  for (std::size_t k = 0; k < histogram.edges.size(); ++k) edge_width = std::max(edge_width, label(k).size());
  const std::int64_t most = histogram.counts.empty() ? 0 : *std::ranges::max_element(histogram.counts);
  count_width = std::to_string(most).size();
  for (std::size_t k = 0; k < histogram.counts.size(); ++k) {
    const std::int64_t count = histogram.counts[k];
    const auto length = static_cast<int>(std::ceil(static_cast<double>(count) * longest / static_cast<double>(most)));
    std::string bar;
    for (int c = 0; c < length; ++c) bar += "█";
    out += padded(label(k), edge_width);
    if (!histogram.one_each) out += " to " + padded(label(k + 1), edge_width);
    out += " │" + padded(std::to_string(count), count_width) + (bar.empty() ? "" : " ") + bar + "\n";
  }
  return out + caption(histogram, name) + "\n";
}

}  // namespace trellis::view
