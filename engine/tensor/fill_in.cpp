#include "engine/tensor/fill_in.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "engine/tensor/number_set.hpp"

namespace trellis::tensor {
namespace {

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// Each node behind its children, whose subtrees follow one another.
std::vector<std::int32_t> postorder(const std::vector<std::int32_t>& parent) {
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<std::int32_t> child(parent.size(), -1), sibling(parent.size(), -1), order, open;
  for (std::int32_t j = n - 1; j >= 0; --j)
    if (const std::int32_t up = parent[at(j)]; up >= 0) sibling[at(j)] = std::exchange(child[at(up)], j);
  order.reserve(parent.size());
  for (std::int32_t root = 0; root < n; ++root) {
    if (parent[at(root)] >= 0) continue;
    open.push_back(root);
    while (!open.empty()) {
      const std::int32_t j = open.back();
      if (const std::int32_t next = child[at(j)]; next >= 0) {
        child[at(j)] = sibling[at(next)];
        open.push_back(next);
      } else {
        order.push_back(j);
        open.pop_back();
      }
    }
  }
  return order;
}

/// The node above which nothing is known yet; paths are shortened on the way.
std::int32_t top_of(std::vector<std::int32_t>& up, std::int32_t j) {
  std::int32_t top = j;
  while (up[at(top)] != top) top = up[at(top)];
  while (up[at(j)] != top) j = std::exchange(up[at(j)], top);
  return top;
}

/// Runs of columns that have, one after the other, all rows of the one before but its parent; by column its run.
std::vector<std::int32_t> join_like_columns(ColumnRuns& runs, const std::vector<std::int32_t>& parent,
                                            const std::vector<std::int32_t>& counts) {
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<std::int32_t> of(parent.size());
  for (std::int32_t j = 0; j < n; ++j) {
    const bool joins = j > 0 && parent[at(j - 1)] == j && counts[at(j)] == counts[at(j - 1)] - 1;
    if (!joins) runs.first.push_back(j);
    of[at(j)] = static_cast<std::int32_t>(std::ssize(runs.first)) - 1;
  }
  runs.first.push_back(n);
  return of;
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

std::vector<std::int32_t> column_counts(const Lists& rows, const std::vector<std::int32_t>& parent) {
  const std::size_t n = parent.size();
  const Lists columns = transposed(rows);
  const std::vector<std::int32_t> order = postorder(parent);
  // Counts of a column's leaves in row subtrees, less those where paths of a row meet; sums over subtrees are counts.
  std::vector<std::int32_t> counts(n), first(n, -1), most(n, -1), before(n, -1), up(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::int32_t j = order[k];
    counts[at(j)] = first[at(j)] < 0;
    for (; j >= 0 && first[at(j)] < 0; j = parent[at(j)]) first[at(j)] = static_cast<std::int32_t>(k);
  }
  std::iota(up.begin(), up.end(), 0);
  for (const std::int32_t j : order) {
    if (parent[at(j)] >= 0) --counts[at(parent[at(j)])];
    for (std::int64_t p = columns.begin[at(j)]; p < columns.begin[at(j) + 1]; ++p) {
      const std::int32_t i = columns.items[at(p)];
      if (first[at(j)] <= most[at(i)]) continue;  // below a leaf that the row had
      most[at(i)] = first[at(j)];
      const std::int32_t last = std::exchange(before[at(i)], j);
      ++counts[at(j)];
      if (last >= 0) --counts[at(top_of(up, last))];
    }
    if (parent[at(j)] >= 0) up[at(j)] = parent[at(j)];
  }
  for (std::size_t j = 0; j < n; ++j)
    if (parent[j] >= 0) counts[at(parent[j])] += counts[j];
  for (std::int32_t& count : counts) --count;  // the diagonal
  return counts;
}

std::int64_t ColumnRuns::entries() const {
  std::int64_t all = 0;
  for (std::int64_t s = 0; s < count(); ++s) {
    const std::int64_t wide = first[at(s + 1)] - first[at(s)];
    all += wide * (wide - 1) / 2 + wide * (rows.begin[at(s + 1)] - rows.begin[at(s)]);
  }
  return all;
}

// From each entry of the matrix up the tree of runs, as far as the row has not been before.
ColumnRuns fill_in(const Lists& rows, const std::vector<std::int32_t>& parent) {
  const std::vector<std::int32_t> counts = column_counts(rows, parent);
  ColumnRuns runs;
  const std::vector<std::int32_t> of = join_like_columns(runs, parent, counts);
  const std::size_t many = runs.first.size() - 1;
  std::vector<std::int32_t> up(many), mark(many, -1);
  runs.rows.begin.resize(many + 1);
  for (std::size_t s = 0; s < many; ++s) {
    const std::int32_t last = runs.first[s + 1] - 1;
    up[s] = parent[at(last)] < 0 ? -1 : of[at(parent[at(last)])];
    runs.rows.begin[s + 1] = runs.rows.begin[s] + counts[at(last)];
  }
  runs.rows.items.resize(at(runs.rows.begin.back()));
  std::vector<std::int64_t> next(runs.rows.begin.begin(), runs.rows.begin.end() - 1);
  for (std::int32_t i = 0; i < rows.count(); ++i) {
    mark[at(of[at(i)])] = i;
    for (std::int64_t p = rows.begin[at(i)]; p < rows.begin[at(i) + 1]; ++p)
      for (std::int32_t s = of[at(rows.items[at(p)])]; mark[at(s)] != i; s = up[at(s)]) {
        mark[at(s)] = i;
        runs.rows.items[at(next[at(s)]++)] = i;
      }
  }
  return runs;
}

RunsOfColumns runs_of(const ColumnRuns& runs) {
  return {runs.first, [&](std::int64_t s) {
            const std::int64_t begin = runs.rows.begin[at(s)], end = runs.rows.begin[at(s + 1)];
            return std::span(runs.rows.items).subspan(at(begin), at(end - begin));
          }};
}

Lists columns_of(const ColumnRuns& runs) {
  const RunsOfColumns all = runs_of(runs);
  Lists columns{begins_of(all, nullptr), {}};
  columns.items.resize(at(columns.begin.back()));
  write_columns(all, nullptr, columns.items.data());
  return columns;
}

std::vector<std::int64_t> begins_of(const RunsOfColumns& runs, const std::vector<char>* diagonal) {
  std::vector<std::int64_t> begin{0};
  begin.reserve(at(runs.first.back() + 1));
  for (std::size_t s = 0; s + 1 < runs.first.size(); ++s) {
    const std::int64_t below = std::ssize(runs.below(static_cast<std::int64_t>(s))), end = runs.first[s + 1];
    for (std::int64_t j = runs.first[s]; j < end; ++j)
      begin.push_back(begin.back() + end - 1 - j + below + (diagonal && (*diagonal)[at(j)] ? 1 : 0));
  }
  return begin;
}

void write_columns(const RunsOfColumns& runs, const std::vector<char>* diagonal, std::int32_t* to) {
  for (std::size_t s = 0; s + 1 < runs.first.size(); ++s) {
    const std::int32_t first = runs.first[s], end = runs.first[s + 1];
    const std::span<const std::int32_t> below = runs.below(static_cast<std::int64_t>(s));
    const std::int32_t* whole = nullptr;  // the first column's rows below the diagonal, where they were put
    for (std::int32_t j = first; j < end; ++j) {
      if (diagonal && (*diagonal)[at(j)]) *to++ = j;
      const std::size_t rows = at(end - 1 - j) + below.size();
      if (whole) {
        std::memcpy(to, whole + (j - first), rows * sizeof *to);
      } else {
        std::iota(to, to + (end - 1 - j), j + 1);
        std::ranges::copy(below, to + (end - 1 - j));
        whole = to;
      }
      to += rows;
    }
  }
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
