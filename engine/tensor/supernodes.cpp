#include "engine/tensor/supernodes.hpp"

#include <algorithm>
#include <numeric>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/from_lists.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {
namespace {

std::size_t place_of(std::int64_t k) { return static_cast<std::size_t>(k); }

/// Columns of a supernode at most, and what its parts are multiples of. A panel updates its own columns where they
/// stand, each on pages of its own; what comes from another panel is copied side by side first.
constexpr std::int64_t most_columns = 192, columns_alike = 8;

/// A run of columns, up to the first of the next one.
struct Run {
  std::int64_t first = 0;
  std::int64_t rows = 0;   ///< of its first column, itself counted
  std::int64_t zeros = 0;  ///< that it stores
};

/// Places of a panel.
std::int64_t panel_places(std::int64_t columns, std::int64_t rows) {
  return columns * rows - columns * (columns - 1) / 2;
}

bool may_join(std::int64_t columns, double zeros, std::int64_t relax) {
  return columns <= std::min<std::int64_t>(4, relax) || (columns <= std::min<std::int64_t>(16, relax) && zeros < 0.8) ||
         (columns <= relax && zeros < 0.1) || zeros < 0.05;
}

/// Runs that were joined so far, and one more, which ends before `end`: joined with those that it is the parent of.
void join(std::vector<Run>& runs, Run next, std::int64_t end, std::int64_t relax,
          const std::vector<std::int32_t>& parent) {
  while (!runs.empty()) {
    const Run& before = runs.back();
    const std::int64_t up = parent[place_of(next.first - 1)];
    if (up < next.first || up >= end) break;
    const std::int64_t own = next.first - before.first, all = end - before.first, rows = next.rows + own;
    const std::int64_t zeros = before.zeros + next.zeros + own * (rows - before.rows);
    if (!may_join(all, static_cast<double>(zeros) / static_cast<double>(panel_places(all, rows)), relax)) break;
    next = {before.first, rows, zeros};
    runs.pop_back();
  }
  runs.push_back(next);
}

}  // namespace

ColumnsBelow::ColumnsBelow(const Lists& columns)
    : begin_(columns.begin.begin(), columns.begin.end() - 1),
      end_(columns.begin.begin() + 1, columns.begin.end()),
      items_(columns.items.data()) {}

ColumnsBelow::ColumnsBelow(const Tensor& pattern) {
  const format::Format& format = pattern.format();
  if (format.layout || format.levels.size() != 2 || format.levels[0].name != "dense" ||
      format.levels[1].name != "compressed")
    return;
  const LevelStorage& level = pattern.storage().levels.back();
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  if (coordinates.wide) {
    narrowed_.resize(place_of(level.entries));
    for (std::int64_t p = 0; p < level.entries; ++p) narrowed_[place_of(p)] = static_cast<std::int32_t>(coordinates[p]);
  }
  items_ = coordinates.wide ? narrowed_.data() : static_cast<const std::int32_t*>(coordinates.data);
  begin_.resize(place_of(level.parents)), end_.resize(place_of(level.parents));
  for (std::int64_t j = 0; j < level.parents; ++j) {
    const std::int32_t *const first = items_ + positions[j], *const last = items_ + positions[j + 1];
    // Those of a lower triangle begin with the diagonal, or below it.
    const bool on = first != last && *first == j, above = first != last && *first < j;
    const std::int32_t* const below = above ? std::upper_bound(first, last, static_cast<std::int32_t>(j)) : first + on;
    begin_[place_of(j)] = below - items_;
    end_[place_of(j)] = last - items_;
  }
}

std::int64_t ColumnsBelow::entries() const {
  std::int64_t all = 0;
  for (std::int64_t j = 0; j < columns(); ++j) all += count(j);
  return all;
}

std::vector<std::int32_t> supernodes(const ColumnsBelow& columns, std::optional<std::int64_t> relax) {
  const std::int64_t n = columns.columns();
  // Of each column once: its parent, and how many rows it has below the diagonal.
  std::vector<std::int32_t> up(place_of(n)), rows(place_of(n));
  for (std::int64_t j = 0; j < n; ++j) {
    const auto below = columns.of(j);
    up[place_of(j)] = below.empty() ? -1 : below.front();
    rows[place_of(j)] = static_cast<std::int32_t>(std::ssize(below));
  }
  std::vector<Run> runs;
  for (std::int64_t j = 0, end = 0; j < n; j = end) {
    for (end = j + 1; end < n && up[place_of(end - 1)] == end && rows[place_of(end)] == rows[place_of(end - 1)] - 1;)
      ++end;
    const Run run{j, rows[place_of(j)] + 1, 0};
    if (relax) join(runs, run, end, *relax, up);
    else runs.push_back(run);
  }
  std::vector<std::int32_t> firsts;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::int64_t first = runs[r].first, wide = (r + 1 < runs.size() ? runs[r + 1].first : n) - first;
    const std::int64_t parts = (wide + most_columns - 1) / most_columns;
    for (std::int64_t part = 0; part < parts; ++part)
      firsts.push_back(static_cast<std::int32_t>(first + wide * part / parts / columns_alike * columns_alike));
  }
  return firsts;
}

RunsOfColumns panels(const ColumnsBelow& columns, const std::vector<std::int32_t>& firsts) {
  RunsOfColumns all{firsts, {}};
  all.first.push_back(static_cast<std::int32_t>(columns.columns()));
  all.below = [&columns, ends = all.first](std::int64_t s) { return columns.of(ends[place_of(s + 1)] - 1); };
  return all;
}

std::optional<Tensor> pattern_of(const RunsOfColumns& panels, bool diagonal, const format::Format& format) {
  const std::int64_t n = panels.first.back();
  const std::vector<char> all(diagonal ? place_of(n) : 0, 1);
  const std::vector<char>* const on = diagonal ? &all : nullptr;
  return pattern_from(
      begins_of(panels, on), [&](std::int32_t* to) { write_columns(panels, on, to); }, format::is_column_major(format),
      {n, n}, format);
}

Lists updates(const RunsOfColumns& panels) {
  const std::int32_t n = panels.first.back();
  std::vector<std::int32_t> of(place_of(n));
  for (std::int32_t s = 0; s < panels.count(); ++s)
    std::fill(of.begin() + panels.first[place_of(s)], of.begin() + panels.first[place_of(s + 1)], s);
  const auto each = [&](const auto& visit) {
    for (std::int32_t s = 0; s < panels.count(); ++s)
      for (std::int32_t last = -1; const std::int32_t row : panels.below(s))
        if (const std::int32_t to = of[place_of(row)]; to != last) visit(s, last = to);
  };
  Lists all{std::vector<std::int64_t>(place_of(n) + 1), {}};
  each([&](std::int32_t, std::int32_t to) { ++all.begin[place_of(to) + 1]; });
  std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
  all.items.resize(place_of(all.begin.back()));
  std::vector<std::int64_t> next = all.begin;
  each([&](std::int32_t from, std::int32_t to) { all.items[place_of(next[place_of(to)]++)] = from; });
  return all;
}

}  // namespace trellis::tensor
