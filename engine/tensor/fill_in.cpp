#include "engine/tensor/fill_in.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/tensor/number_set.hpp"

namespace trellis::tensor {
namespace {

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// Calls `visit(row, column)` for each entry of the factor below the diagonal, by rows: from each entry of the matrix
/// up the tree, as far as the row has not been before.
template <class Visit>
void walk_rows(const Lists& rows, const std::vector<std::int32_t>& parent, Visit&& visit) {
  std::vector<std::int32_t> mark(parent.size(), -1);
  for (std::int32_t i = 0; i < rows.count(); ++i) {
    mark[at(i)] = i;
    for (std::int64_t p = rows.begin[at(i)]; p < rows.begin[at(i) + 1]; ++p)
      for (std::int32_t k = rows.items[at(p)]; mark[at(k)] != i; k = parent[at(k)]) {
        mark[at(k)] = i;
        visit(i, k);
      }
  }
}

}  // namespace

Lists transposed(const Lists& lists) {
  Lists result{std::vector<std::int64_t>(lists.begin.size()), std::vector<std::int32_t>(lists.items.size())};
  for (const std::int32_t item : lists.items) ++result.begin[at(item) + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::int32_t k = 0; k < lists.count(); ++k)
    for (std::int64_t p = lists.begin[at(k)]; p < lists.begin[at(k) + 1]; ++p)
      result.items[at(next[at(lists.items[at(p)])]++)] = k;
  return result;
}

Lists reversed(const Lists& lists) {
  Lists result{{0}, {}};
  result.items.reserve(lists.items.size());
  const auto last = static_cast<std::int32_t>(lists.count() - 1);
  for (std::int64_t k = last; k >= 0; --k) {
    for (std::int64_t p = lists.begin[at(k) + 1]; p-- > lists.begin[at(k)];)
      result.items.push_back(last - lists.items[at(p)]);
    result.begin.push_back(std::ssize(result.items));
  }
  return result;
}

std::vector<std::int32_t> elimination_tree(const Lists& rows) {
  const std::size_t n = at(rows.count());
  std::vector<std::int32_t> parent(n, -1), top(n, -1);
  for (std::int32_t i = 0; i < rows.count(); ++i)
    for (std::int64_t p = rows.begin[at(i)]; p < rows.begin[at(i) + 1]; ++p)
      for (std::int32_t k = rows.items[at(p)]; k >= 0 && k < i;) {
        const std::int32_t up = std::exchange(top[at(k)], i);  // paths that were walked once are skipped from then on
        if (up < 0) parent[at(k)] = i;
        k = up;
      }
  return parent;
}

Lists fill_in(const Lists& rows, const std::vector<std::int32_t>& parent) {
  Lists columns{std::vector<std::int64_t>(rows.begin.size()), {}};
  walk_rows(rows, parent, [&](std::int32_t, std::int32_t k) { ++columns.begin[at(k) + 1]; });
  std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
  columns.items.resize(at(columns.begin.back()));
  std::vector<std::int64_t> next(columns.begin.begin(), columns.begin.end() - 1);
  walk_rows(rows, parent, [&](std::int32_t i, std::int32_t k) { columns.items[at(next[at(k)]++)] = i; });
  return columns;
}

Triangles fill_in(const Lists& columns) {
  const std::int64_t n = columns.count();
  Triangles result{{{0}, {}}, {{0}, {}}};
  Lists &lower = result.lower, &upper = result.upper;
  std::vector<std::int64_t> end(at(n));  // of the part of each column below the diagonal that later ones walk
  std::vector<char> pruned(at(n));
  NumberSet live(n);
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int64_t p = columns.begin[at(j)]; p < columns.begin[at(j) + 1]; ++p) live.insert(columns.items[at(p)]);
    for (std::int32_t k = live.take_least(); k >= 0; k = live.take_least()) {
      if (k > j) lower.items.push_back(k);
      if (k >= j) continue;
      upper.items.push_back(k);
      for (std::int64_t p = lower.begin[at(k)]; p < end[at(k)]; ++p) live.insert(lower.items[at(p)]);
    }
    lower.begin.push_back(std::ssize(lower.items));
    upper.begin.push_back(std::ssize(upper.items));
    end[at(j)] = lower.begin.back();
    // What lies below row j in column k, column j has from now on.
    for (std::int64_t p = upper.begin[at(j)]; p < upper.begin[at(j) + 1]; ++p) {
      const std::int32_t k = upper.items[at(p)];
      if (pruned[at(k)]) continue;
      const auto first = lower.items.begin() + lower.begin[at(k)], last = lower.items.begin() + lower.begin[at(k) + 1];
      const auto found = std::lower_bound(first, last, j);
      if (found == last || *found != j) continue;
      end[at(k)] = found - lower.items.begin() + 1;
      pruned[at(k)] = true;
    }
  }
  return result;
}

}  // namespace trellis::tensor
