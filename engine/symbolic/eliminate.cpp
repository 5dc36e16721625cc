#include "engine/symbolic/eliminate.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/format/storage_order.hpp"
#include "engine/math/compare.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/from_lists.hpp"

namespace trellis::symbolic {
namespace {

using tensor::Lists;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// c + p * first + q * second, where these are an entry's coordinates.
struct Linear {
  std::int64_t c = 0, p = 0, q = 0;
  std::int64_t of(std::int64_t first, std::int64_t second) const { return c + p * first + q * second; }
};

/// A source, for the sizes that there are: which element an entry of its leaf stands for.
class Source {
 public:
  /// `n`: coordinates are below that.
  Source(const Term& term, const SizeOf& size, std::int64_t n) : term_(term), size_(size) {
    for (std::size_t d = 0; d < 2; ++d) head_[d] = linear(*lang::affine(term.head.indices[d]));
    for (const math::Constraint& c : term.domain.constraints) {
      const Linear form = linear(c.left - c.right);
      if (!holds_below(form, c.relation, n)) constraints_.push_back({form, c.relation});
    }
    if (!term.leaves.empty() && term.leaves.front().indices[0] == term.leaves.front().indices[1])
      constraints_.push_back({{0, 1, -1}, math::Relation::equal});
  }

  std::optional<std::array<std::int64_t, 2>> element(std::int64_t first, std::int64_t second) const {
    for (const auto& [form, relation] : constraints_)
      if (!math::holds(form.of(first, second), relation, 0)) return std::nullopt;
    return std::array{head_[0].of(first, second), head_[1].of(first, second)};
  }

 private:
  /// Whatever the coordinates are: each entry need not be asked.
  static bool holds_below(const Linear& form, math::Relation relation, std::int64_t n) {
    const std::int64_t last = std::max<std::int64_t>(n - 1, 0);
    const std::int64_t least =
        form.c + std::min<std::int64_t>(form.p * last, 0) + std::min<std::int64_t>(form.q * last, 0);
    const std::int64_t most =
        form.c + std::max<std::int64_t>(form.p * last, 0) + std::max<std::int64_t>(form.q * last, 0);
    const bool both_ways = relation == math::Relation::equal || relation == math::Relation::not_equal;
    return !both_ways && math::holds(least, relation, 0) && math::holds(most, relation, 0);
  }

  /// Without a leaf, the one variable is the first coordinate.
  int coordinate(const std::string& variable) const {
    if (term_.leaves.empty()) return 0;
    return *lang::affine(term_.leaves.front().indices[0]) == math::Affine::name(variable) ? 0 : 1;
  }

  Linear linear(const math::Affine& form) const {
    Linear result;
    math::Affine rest = form;
    for (const std::string& v : term_.domain.variables) {
      const std::int64_t factor = form.coefficient(v);
      (coordinate(v) == 0 ? result.p : result.q) += factor;
      rest = rest - math::Affine::name(v, factor);
    }
    result.c = size_(rest);
    return result;
  }

  const Term& term_;
  const SizeOf& size_;
  std::array<Linear, 2> head_;
  std::vector<std::pair<Linear, math::Relation>> constraints_;
};

/// Calls `visit(first, second)` with the coordinates of each.
template <class Visit>
void for_each_entry(const tensor::Tensor& pattern, Visit&& visit) {
  if (const auto lists = tensor::lists_of(pattern)) {
    const bool by_columns = format::is_column_major(pattern.format());
    for (std::int64_t k = 0; k < lists->count(); ++k)
      for (std::int64_t p = lists->begin[at(k)]; p < lists->begin[at(k) + 1]; ++p)
        by_columns ? visit(lists->items[at(p)], k) : visit(k, lists->items[at(p)]);
    return;
  }
  const tensor::Coordinates entries = tensor::to_coordinates(pattern);
  for (std::size_t k = 0; k < entries.count; ++k) visit(entries.indices[2 * k], entries.indices[2 * k + 1]);
}

/// What all sources say, on F.
class Gathering {
 public:
  Gathering(const Elimination& how, Factor& factor, std::int64_t n) : how_(how), factor_(factor), last_(n - 1) {
    for (const auto& [name, part] : how.parts)
      if (part.diagonal) factor.diagonal[name].resize(at(n));
  }

  /// Where elements of a result go.
  struct Into {
    bool transposed = false;
    std::vector<char>* diagonal = nullptr;
  };
  Into into(const std::string& result) const {
    const auto diagonal = factor_.diagonal.find(result);
    return {how_.parts.at(result).transposed, diagonal == factor_.diagonal.end() ? nullptr : &diagonal->second};
  }

  void add(const Into& into, std::array<std::int64_t, 2> e) {
    if (how_.reversed) e = {last_ - e[0], last_ - e[1]};
    if (e[0] == e[1]) {
      (*into.diagonal)[at(e[0])] = 1;
      return;
    }
    if (into.transposed) std::swap(e[0], e[1]);
    if (how_.symmetric && e[0] < e[1]) std::swap(e[0], e[1]);
    pairs_.emplace_back(static_cast<std::int32_t>(e[0]), static_cast<std::int32_t>(e[1]));
  }

  /// By rows of a symmetric one, else by columns.
  Lists lists() const {
    const auto key = [&](const auto& pair) { return at(how_.symmetric ? pair.first : pair.second); };
    Lists lists{std::vector<std::int64_t>(at(last_ + 2)), std::vector<std::int32_t>(pairs_.size())};
    for (const auto& pair : pairs_) ++lists.begin[key(pair) + 1];
    std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
    std::vector<std::int64_t> next(lists.begin.begin(), lists.begin.end() - 1);
    for (const auto& pair : pairs_) lists.items[at(next[key(pair)]++)] = how_.symmetric ? pair.second : pair.first;
    return lists;
  }

 private:
  const Elimination& how_;
  Factor& factor_;
  std::int64_t last_;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
};

/// Elements of the diagonal that products reach: F(i,k), F(k,i), k < i. Of a symmetric one those of rows with entries,
/// which are parents.
std::vector<char> reached(const Elimination& how, const Factor& factor) {
  const tensor::Triangles& triangles = factor.triangles;
  std::vector<char> found(at(factor.given.count()));
  if (how.symmetric) {
    for (const std::int32_t up : factor.parent)
      if (up >= 0) found[at(up)] = 1;
    return found;
  }
  const Lists rows = tensor::transposed(triangles.lower);
  std::vector<std::int32_t> mark(found.size(), -1);
  for (std::int32_t i = 0; i < rows.count(); ++i) {
    const auto first = rows.items.begin() + rows.begin[at(i)], last = rows.items.begin() + rows.begin[at(i) + 1];
    for (auto k = first; k != last; ++k) mark[at(*k)] = i;
    const Lists& upper = triangles.upper;
    for (std::int64_t p = upper.begin[at(i)]; p < upper.begin[at(i) + 1]; ++p)
      found[at(i)] |= mark[at(upper.items[at(p)])] == i;
  }
  return found;
}

/// F(i,k), F(k,j) with k < min(i,j); of a symmetric one with j <= i.
std::int64_t products_of(const Elimination& how, const Factor& factor) {
  std::int64_t products = 0;
  const tensor::ColumnRuns& runs = factor.columns;
  for (std::size_t s = 0; how.symmetric && s + 1 < runs.first.size(); ++s) {
    const std::int64_t rows = runs.rows.begin[s + 1] - runs.rows.begin[s];
    for (std::int64_t below = rows + runs.first[s + 1] - runs.first[s]; below-- > rows;)
      products += below * (below + 1) / 2;
  }
  if (how.symmetric) return products;
  const auto length = [](const Lists& lists, std::int64_t k) { return lists.begin[at(k) + 1] - lists.begin[at(k)]; };
  const Lists rows = tensor::transposed(factor.triangles.upper);
  for (std::int64_t k = 0; k < rows.count(); ++k) products += length(factor.triangles.lower, k) * length(rows, k);
  return products;
}

/// Of each number what `before` lists, the number itself where `diagonal` says so, what `behind` lists.
Lists joined(const Lists* before, const std::vector<char>* diagonal, const Lists* behind, std::int64_t n) {
  Lists all{{0}, {}};
  all.items.reserve((before ? before->items.size() : 0) + (behind ? behind->items.size() : 0) + at(n));
  const auto append = [&](const Lists* lists, std::int64_t k) {
    if (lists)
      all.items.insert(all.items.end(), lists->items.begin() + lists->begin[at(k)],
                       lists->items.begin() + lists->begin[at(k) + 1]);
  };
  for (std::int64_t k = 0; k < n; ++k) {
    append(before, k);
    if (diagonal && (*diagonal)[at(k)]) all.items.push_back(static_cast<std::int32_t>(k));
    append(behind, k);
    all.begin.push_back(std::ssize(all.items));
  }
  return all;
}

}  // namespace

Factor eliminate(const Elimination& how, const Leaf& leaf, const SizeOf& size) {
  const std::int64_t n = size(how.size);
  Factor factor;
  Gathering all(how, factor, n);
  for (const Term& term : how.sources) {
    const Source source(term, size, n);
    const Gathering::Into into = all.into(term.head.tensor);
    const auto add = [&](std::int64_t first, std::int64_t second) {
      if (const auto element = source.element(first, second)) all.add(into, *element);
    };
    if (term.leaves.empty())
      for (std::int64_t i = 0; i < n; ++i) add(i, 0);
    else { for_each_entry(leaf(term.leaves.front().tensor), add); }
  }
  Lists lists = all.lists();
  if (how.symmetric) {
    factor.parent = tensor::elimination_tree(lists);
    factor.columns = tensor::fill_in(lists, factor.parent);
  } else {
    factor.triangles = tensor::fill_in(lists);
  }
  factor.given = std::move(lists);
  factor.products = products_of(how, factor);
  const bool fills = std::ranges::any_of(how.parts, [](const auto& part) { return part.second.fills_diagonal; });
  const std::vector<char> products = fills ? reached(how, factor) : std::vector<char>{};
  for (const auto& [name, part] : how.parts)
    if (part.fills_diagonal)
      for (std::int64_t i = 0; i < n; ++i) factor.diagonal.at(name)[at(i)] |= products[at(i)];
  return factor;
}

tensor::Triangles triangles_of(const Elimination& how, const Factor& factor) {
  return how.symmetric ? tensor::Triangles{tensor::columns_of(factor.columns), {{0}, {}}} : factor.triangles;
}

namespace {

/// Of a symmetric one, whose columns are fibers of the result.
std::optional<tensor::Tensor> columns_as_they_are(const Factor& factor, const std::vector<char>* diagonal,
                                                  const format::Format& format) {
  const tensor::RunsOfColumns columns = tensor::runs_of(factor.columns);
  const std::int64_t n = factor.columns.columns();
  return tensor::pattern_from(
      tensor::begins_of(columns, diagonal), [&](std::int32_t* to) { tensor::write_columns(columns, diagonal, to); },
      format::is_column_major(format), {n, n}, format);
}

}  // namespace

std::optional<tensor::Tensor> pattern_of(const Elimination& how, const Factor& factor, const std::string& result,
                                         const format::Format& format) {
  const Elimination::Part& part = how.parts.at(result);
  const bool by_columns = format::is_column_major(format);
  // Which of F's sides are listed: its columns, where the result lists its own and is not transposed. Of a symmetric F
  // the upper triangle by rows is the lower one by columns.
  const bool columns = by_columns != part.transposed;
  const auto diagonal = factor.diagonal.find(result);
  const std::vector<char>* on = diagonal == factor.diagonal.end() ? nullptr : &diagonal->second;
  if (how.symmetric && !how.reversed && part.lower != part.upper && columns == part.lower)
    return columns_as_they_are(factor, on, format);
  tensor::Triangles listed_columns;
  const tensor::Triangles& f = how.symmetric ? listed_columns = triangles_of(how, factor) : factor.triangles;
  const std::int64_t n = f.lower.count();
  Lists turned_lower, turned_upper;
  const auto listed = [](const Lists& lists, bool as_they_are, Lists& turned) {
    return as_they_are ? &lists : &(turned = tensor::transposed(lists));
  };
  const Lists* lower = part.lower ? listed(f.lower, columns, turned_lower) : nullptr;
  const Lists* upper = !part.upper     ? nullptr
                       : how.symmetric ? listed(f.lower, !columns, turned_upper)
                                       : listed(f.upper, columns, turned_upper);
  Lists all = columns ? joined(upper, on, lower, n) : joined(lower, on, upper, n);
  if (how.reversed) all = tensor::reversed(all);
  return tensor::pattern_from(all, by_columns, {n, n}, format);
}

}  // namespace trellis::symbolic
