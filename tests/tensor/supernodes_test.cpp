// Supernodes of random closed patterns beside their definition, and the panels that they make.
#include "engine/tensor/supernodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace trellis::tensor {
namespace {

/// The rows of a random symmetric matrix left of the diagonal.
Lists random_rows(std::mt19937_64& random, std::int32_t n, double density) {
  Lists rows{{0}, {}};
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = 0; k < i; ++k)
      if (std::uniform_real_distribution<>(0, 1)(random) < density) rows.items.push_back(k);
    rows.begin.push_back(std::ssize(rows.items));
  }
  return rows;
}

/// What it fills in, by columns, below the diagonal.
Lists random_factor(std::mt19937_64& random, std::int32_t n, double density) {
  const Lists rows = random_rows(random, n, density);
  return columns_of(fill_in(rows, elimination_tree(rows)));
}

/// Of panels, entry by entry.
Lists columns_in(const RunsOfColumns& runs, bool diagonal) {
  const std::vector<char> all(static_cast<std::size_t>(runs.first.back()), 1);
  Lists columns{begins_of(runs, diagonal ? &all : nullptr), {}};
  columns.items.resize(static_cast<std::size_t>(columns.begin.back()));
  write_columns(runs, diagonal ? &all : nullptr, columns.items.data());
  return columns;
}

/// By the definition: what each k < min(i, j) adds.
Lists filled_by_definition(const Lists& rows) {
  const std::int64_t n = rows.count();
  std::vector<std::set<std::int32_t>> columns(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int64_t p = rows.begin[static_cast<std::size_t>(i)]; p < rows.begin[static_cast<std::size_t>(i) + 1]; ++p)
      columns[static_cast<std::size_t>(rows.items[static_cast<std::size_t>(p)])].insert(i);
  for (const std::set<std::int32_t>& column : columns)
    for (const std::int32_t j : column)
      for (const std::int32_t i : column)
        if (i > j) columns[static_cast<std::size_t>(j)].insert(i);
  Lists filled{{0}, {}};
  for (const std::set<std::int32_t>& column : columns) {
    filled.items.insert(filled.items.end(), column.begin(), column.end());
    filled.begin.push_back(std::ssize(filled.items));
  }
  return filled;
}

std::set<std::int32_t> column(const Lists& lists, std::int64_t j) {
  const auto k = static_cast<std::size_t>(j);
  return {lists.items.begin() + lists.begin[k], lists.items.begin() + lists.begin[k + 1]};
}

/// Column k has no entries below a row j of its own that column j has not.
bool is_closed(const Lists& columns) {
  for (std::int64_t k = 0; k < columns.count(); ++k)
    for (const std::int32_t j : column(columns, k)) {
      const auto other = column(columns, j);
      for (const std::int32_t i : column(columns, k))
        if (i > j && !other.contains(i)) return false;
    }
  return true;
}

std::vector<std::int32_t> by_definition(const Lists& columns) {
  std::vector<std::int32_t> firsts;
  for (std::int32_t j = 0; j < columns.count(); ++j) {
    auto before = j > 0 ? column(columns, j - 1) : std::set<std::int32_t>{};
    if (before.erase(j) == 0 || before != column(columns, j)) firsts.push_back(j);
  }
  return firsts;
}

}  // namespace

TEST_CASE("fill-in: its columns, and how many entries they have, are those of the definition") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    CAPTURE(trial);
    const Lists rows = random_rows(random, static_cast<std::int32_t>(trial % 23), 0.02 + 0.02 * (trial % 12));
    const auto parent = elimination_tree(rows);
    const Lists filled = columns_of(fill_in(rows, parent)), wanted = filled_by_definition(rows);
    CHECK(filled.begin == wanted.begin);
    CHECK(filled.items == wanted.items);
    CHECK(fill_in(rows, parent).entries() == std::ssize(wanted.items));
    const auto counts = column_counts(rows, parent);
    for (std::size_t j = 0; j < counts.size(); ++j) CHECK(counts[j] == wanted.begin[j + 1] - wanted.begin[j]);
  }
}

TEST_CASE("supernodes: neighbouring columns with the same rows, and no others") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    const Lists columns = random_factor(random, static_cast<std::int32_t>(trial % 17), 0.05 + 0.02 * (trial % 11));
    REQUIRE(is_closed(columns));
    const auto firsts = supernodes(columns, std::nullopt);
    CHECK(firsts == by_definition(columns));
    CHECK(columns_in(panels(columns, firsts), false).items == columns.items);  // no zeros are stored
  }
}

TEST_CASE("supernodes: relaxed ones are closed, hold all entries, and have as many columns as they may") {
  std::mt19937_64 random(2);
  std::size_t joined = 0;
  for (int trial = 0; trial < 400; ++trial) {
    CAPTURE(trial);
    const std::int64_t relax = 1 + trial % 9;
    const Lists columns = random_factor(random, static_cast<std::int32_t>(trial % 29), 0.02 + 0.01 * (trial % 13));
    const auto firsts = supernodes(columns, relax), exact = supernodes(columns, std::nullopt);
    CHECK(std::includes(exact.begin(), exact.end(), firsts.begin(), firsts.end()));
    joined += exact.size() - firsts.size();
    const Lists all = columns_in(panels(columns, firsts), false);
    CHECK(is_closed(all));
    CHECK(by_definition(all).size() <= firsts.size());
    for (std::int64_t j = 0; j < columns.count(); ++j) {
      const auto given = column(columns, j), stored = column(all, j);
      CHECK(std::includes(stored.begin(), stored.end(), given.begin(), given.end()));
    }
    for (std::size_t s = 0; s < firsts.size(); ++s) {
      const std::int64_t first = firsts[s], end = s + 1 < firsts.size() ? firsts[s + 1] : columns.count();
      std::int64_t places = 0, zeros = 0;
      for (std::int64_t j = first; j < end; ++j) {
        places += std::ssize(column(all, j)) + 1;
        zeros += std::ssize(column(all, j)) - std::ssize(column(columns, j));
        if (j > first) {
          auto before = column(all, j - 1);
          CHECK(before.erase(static_cast<std::int32_t>(j)) == 1);
          CHECK(before == column(all, j));
        }
      }
      const bool alone = std::ranges::count_if(exact, [&](auto f) { return first <= f && f < end; }) == 1;
      CHECK((alone || end - first <= relax || static_cast<double>(zeros) < 0.05 * static_cast<double>(places)));
    }
  }
  CHECK(joined > 100);
}

TEST_CASE("supernodes: each is updated by those before it with a row among its columns") {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    const Lists columns = random_factor(random, static_cast<std::int32_t>(1 + trial % 23), 0.02 + 0.02 * (trial % 9));
    const ColumnsBelow below(columns);
    const RunsOfColumns runs = panels(below, supernodes(below, 1 + trial % 7));
    const Lists stored = columns_in(runs, false), found = updates(runs);
    CHECK(found.count() == columns.count());
    for (std::int64_t s = 0; s < found.count(); ++s) {
      std::set<std::int32_t> wanted;
      for (std::int32_t d = 0; d < s && s < runs.count(); ++d)
        for (const std::int32_t row : column(stored, runs.first[static_cast<std::size_t>(d)]))
          if (row >= runs.first[static_cast<std::size_t>(s)] && row < runs.first[static_cast<std::size_t>(s) + 1])
            wanted.insert(d);
      const auto k = static_cast<std::size_t>(s);
      CHECK(std::ranges::equal(wanted, std::span(found.items)
                                           .subspan(static_cast<std::size_t>(found.begin[k]),
                                                    static_cast<std::size_t>(found.begin[k + 1] - found.begin[k]))));
    }
  }
}

TEST_CASE("supernodes: panels with a diagonal have each column's own row first") {
  const Lists columns{{0, 2, 3, 3}, {1, 2, 2}};
  CHECK(columns_in(panels(columns, {0}), true).items == std::vector<std::int32_t>{0, 1, 2, 1, 2, 2});
  CHECK(columns_in(panels(columns, {0, 2}), false).items == std::vector<std::int32_t>{1, 2, 2});
}

}  // namespace trellis::tensor
