#include "engine/view/z_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::view {
namespace {

struct Entry {
  std::uint64_t key;
  double value;
};

void sum_up(const std::vector<Entry>& entries, std::vector<double>& sums, std::vector<std::size_t>& not_finite) {
  double sum = 0;
  sums.reserve(entries.size() + 1);
  sums.push_back(0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (std::isfinite(entries[k].value)) sum += entries[k].value;
    else not_finite.push_back(k);
    sums.push_back(sum);
  }
}

}  // namespace

/// What is being looked at, and where.
struct ZOrder::Seen {
  int level;
  Part part;
  Cells cells;
};

/// Its entries, and how their keys begin.
struct ZOrder::Cell {
  int level;
  Key start;
  std::size_t begin, end;
  std::int64_t row, column;
};

std::optional<ZOrder> ZOrder::of(const tensor::Tensor& matrix, std::int64_t most) {
  ZOrder made;
  for (std::size_t d = 0; d < 2; ++d) {
    made.shape_[d] = matrix.shape()[d];
    made.bits_[d] = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(matrix.shape()[d] - 1)));
  }
  made.fill_ = matrix.fill().as_double();
  if (made.bits_[0] + made.bits_[1] > 63) return std::nullopt;
  if (!matrix.dense() && tensor::listed_entries(matrix) > most) return std::nullopt;
  std::vector<Entry> entries;
  const auto add = [&](const tensor::Index& index, const format::Value& value) {
    if (entries.size() % 4096 == 0) text::stop_if_cancelled();
    made.band_.below = std::max(made.band_.below, index[0] - index[1]);
    made.band_.above = std::max(made.band_.above, index[1] - index[0]);
    entries.push_back({made.key(index[0], index[1]), value.as_double()});
  };
  bool too_many = false;
  if (matrix.dense()) {
    tensor::for_each_entry(matrix, [&](const tensor::Index& index, const format::Value& value) {
      too_many = too_many || std::ssize(entries) >= most;
      if (!too_many && !is_fill(value, matrix.fill())) add(index, value);
    });
  } else {
    tensor::for_each_listed(matrix, add);
  }
  if (too_many) return std::nullopt;
  std::ranges::sort(entries, {}, &Entry::key);
  text::stop_if_cancelled();
  sum_up(entries, made.sums_, made.not_finite_);
  made.keys_.reserve(entries.size());
  for (const Entry& entry : entries) made.keys_.push_back(entry.key);
  return made;
}

int ZOrder::levels() const { return std::max(bits_[0], bits_[1]); }

std::array<std::int64_t, 2> ZOrder::cell(int level) const {
  return {std::int64_t{1} << (bits_[0] - bits(0, level)), std::int64_t{1} << (bits_[1] - bits(1, level))};
}

ZOrder::Part ZOrder::all(int level) const {
  const auto [rows, columns] = cell(level);
  return {0, 0, (shape_[0] + rows - 1) / rows, (shape_[1] + columns - 1) / columns};
}

/// The highest bits first, one of each coordinate that still has one.
ZOrder::Key ZOrder::key(std::int64_t row, std::int64_t column) const {
  Key key = 0;
  for (int level = 1; level <= levels(); ++level) {
    if (level <= bits_[0]) key = key << 1 | static_cast<Key>(row >> (bits_[0] - level) & 1);
    if (level <= bits_[1]) key = key << 1 | static_cast<Key>(column >> (bits_[1] - level) & 1);
  }
  return key;
}

Cells ZOrder::cells(int level, const Part& part) const {
  Seen seen{level, part, {}};
  Cells& found = seen.cells;
  found.rows = static_cast<int>(part.rows), found.columns = static_cast<int>(part.columns);
  const auto size = cell(level);
  found.block_rows = std::min(size[0], shape_[0]), found.block_columns = std::min(size[1], shape_[1]);
  found.cells.resize(static_cast<std::size_t>(part.rows * part.columns));
  const auto within = [](std::int64_t at, std::int64_t of, std::int64_t shape) {
    return std::clamp<std::int64_t>(shape - at * of, 0, of);
  };
  for (std::int64_t r = 0; r < part.rows; ++r)
    for (std::int64_t c = 0; c < part.columns; ++c) {
      Cells::Cell& one = found.cells[static_cast<std::size_t>(r * part.columns + c)];
      one.elements = within(part.row + r, size[0], shape_[0]) * within(part.column + c, size[1], shape_[1]);
      if (std::isfinite(fill_)) one.finite = one.elements, one.sum = fill_ * static_cast<double>(one.elements);
    }
  descend(seen, {0, 0, 0, keys_.size(), 0, 0});
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Cells::Cell& one : found.cells)
    if (one.finite > 0) low = std::min(low, one.mean()), high = std::max(high, one.mean());
  if (low <= high) found.lowest = low, found.highest = high;
  return std::move(seen.cells);
}

/// Into the halves or quarters of a cell that has entries, and a share in what is looked at. Their keys begin alike.
void ZOrder::descend(Seen& seen, const Cell& cell) const {
  if (cell.begin == cell.end) return;
  const auto meets = [&](std::int64_t at, std::int64_t first, std::int64_t count, std::size_t dimension) {
    const int finer = bits(dimension, seen.level) - bits(dimension, cell.level);
    return at << finer < first + count && first < (at + 1) << finer;
  };
  if (!meets(cell.row, seen.part.row, seen.part.rows, 0)) return;
  if (!meets(cell.column, seen.part.column, seen.part.columns, 1)) return;
  if (cell.level == seen.level) return add(seen, cell);
  const int below = cell.level + 1, tall = bits(0, below) - bits(0, cell.level),
            wide = bits(1, below) - bits(1, cell.level);
  const int left = bits_[0] + bits_[1] - bits(0, below) - bits(1, below);
  const auto place = [&](std::size_t k) { return keys_.begin() + static_cast<std::ptrdiff_t>(k); };
  std::size_t begin = cell.begin;
  for (std::int64_t r = 0; r <= tall; ++r)
    for (std::int64_t c = 0; c <= wide; ++c) {
      const Key start = cell.start << (tall + wide) | static_cast<Key>(r << wide | c);
      const auto behind = std::lower_bound(place(begin), place(cell.end), (start + 1) << left);
      const auto end = static_cast<std::size_t>(behind - keys_.begin());
      descend(seen, {below, start, begin, end, cell.row << tall | r, cell.column << wide | c});
      begin = end;
    }
}

void ZOrder::add(Seen& seen, const Cell& cell) const {
  const std::int64_t at = (cell.row - seen.part.row) * seen.part.columns + cell.column - seen.part.column;
  Cells::Cell& one = seen.cells.cells[static_cast<std::size_t>(at)];
  const auto first = std::ranges::lower_bound(not_finite_, cell.begin),
             last = std::ranges::lower_bound(not_finite_, cell.end);
  const auto stored = static_cast<std::int64_t>(cell.end - cell.begin);
  const std::int64_t finite = stored - (last - first);
  // Entries stand where the fill did.
  if (std::isfinite(fill_)) one.finite -= stored, one.sum -= fill_ * static_cast<double>(stored);
  one.finite += finite;
  one.sum += sums_[cell.end] - sums_[cell.begin];
  one.stored = stored;
  seen.cells.stored += stored;
}

}  // namespace trellis::view
