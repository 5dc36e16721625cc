#include "engine/tensor/supernodes.hpp"

#include <algorithm>
#include <functional>

#include "engine/tensor/from_lists.hpp"

namespace trellis::tensor {
namespace {

std::size_t place_of(std::int64_t k) { return static_cast<std::size_t>(k); }

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
          const std::function<std::int64_t(std::int64_t)>& parent) {
  while (!runs.empty()) {
    const Run& before = runs.back();
    const std::int64_t up = parent(next.first - 1);
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

std::vector<std::int32_t> supernodes(const Lists& columns, std::optional<std::int64_t> relax) {
  const std::int64_t n = columns.count();
  const auto count = [&](std::int64_t j) { return columns.begin[place_of(j) + 1] - columns.begin[place_of(j)]; };
  const auto parent = [&](std::int64_t j) -> std::int64_t {
    return count(j) > 0 ? columns.items[place_of(columns.begin[place_of(j)])] : -1;
  };
  std::vector<Run> runs;
  for (std::int64_t j = 0, end = 0; j < n; j = end) {
    for (end = j + 1; end < n && parent(end - 1) == end && count(end) == count(end - 1) - 1;) ++end;
    const Run run{j, count(j) + 1, 0};
    if (relax) join(runs, run, end, *relax, parent);
    else runs.push_back(run);
  }
  std::vector<std::int32_t> firsts;
  for (const Run& run : runs) firsts.push_back(static_cast<std::int32_t>(run.first));
  return firsts;
}

Lists panels(const Lists& columns, const std::vector<std::int32_t>& firsts, bool diagonal) {
  const std::int64_t n = columns.count();
  Lists all{{0}, {}};
  all.begin.reserve(columns.begin.size());
  all.items.reserve(columns.items.size() + columns.items.size() / 4 + columns.begin.size());
  for (std::size_t s = 0; s < firsts.size(); ++s) {
    const std::int64_t end = s + 1 < firsts.size() ? firsts[s + 1] : n;
    const auto below = columns.items.begin() + columns.begin[place_of(end - 1)],
               last = columns.items.begin() + columns.begin[place_of(end)];
    for (std::int64_t j = firsts[s]; j < end; ++j) {
      for (std::int64_t i = diagonal ? j : j + 1; i < end; ++i) all.items.push_back(static_cast<std::int32_t>(i));
      all.items.insert(all.items.end(), below, last);
      all.begin.push_back(std::ssize(all.items));
    }
  }
  return all;
}

Lists below_diagonal(const Tensor& pattern) {
  Lists lists = lists_of(pattern).value_or(Lists{{0}, {}});
  std::int64_t kept = 0, p = 0;
  for (std::int64_t j = 0; j < lists.count(); ++j) {
    for (const std::int64_t end = lists.begin[place_of(j) + 1]; p < end; ++p)
      if (const std::int32_t i = lists.items[place_of(p)]; i > j) lists.items[place_of(kept++)] = i;
    lists.begin[place_of(j) + 1] = kept;
  }
  lists.items.resize(place_of(kept));
  return lists;
}

}  // namespace trellis::tensor
