// CXSparse beside us: factors and triangular solves, column by column.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_CXSPARSE
#include <cs.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace trellis::bench {
namespace {

using Matrix = std::shared_ptr<cs_di>;

Matrix owned(cs_di* matrix) {
  return {matrix, [](cs_di* m) { cs_di_spfree(m); }};
}

/// Twice transposed, the coordinates of each column rise.
Matrix sorted(const Matrix& matrix) {
  const Matrix once = owned(cs_di_transpose(matrix.get(), 1));
  return owned(cs_di_transpose(once.get(), 1));
}

Matrix permuted(const Matrix& matrix, const int* order) {
  int* inverse = cs_di_pinv(order, matrix->n);
  const Matrix result = owned(cs_di_permute(matrix.get(), inverse, order, 1));
  cs_di_free(inverse);
  return sorted(result);
}

/// Of a minimum degree, then by the elimination tree from its leaves up, which changes no fill.
Matrix in_amd_order(const Matrix& matrix) {
  int* order = cs_di_amd(1, matrix.get());
  const Matrix reordered = permuted(matrix, order);
  cs_di_free(order);
  int* parent = cs_di_etree(reordered.get(), 0);
  int* post = cs_di_post(parent, reordered->n);
  const Matrix result = permuted(reordered, post);
  cs_di_free(parent), cs_di_free(post);
  return result;
}

Matrix copied(const Compressed& a) {
  const int n = static_cast<int>(a.rows), entries = a.positions[n];
  const Matrix copy = owned(cs_di_spalloc(n, n, entries, 1, 0));
  std::copy(a.positions, a.positions + n + 1, copy->p);
  std::copy(a.coordinates, a.coordinates + entries, copy->i);
  std::copy(a.values, a.values + entries, copy->x);
  return copy;
}

Matrix copied(const Columns& a) {
  const auto n = static_cast<std::int64_t>(a.positions.size()) - 1;
  return copied(Compressed{n, n, false, a.positions.data(), a.coordinates.data(), a.values.data()});
}

Columns columns_of(const Matrix& from) {
  const int entries = from->p[from->n];
  return {{from->p, from->p + from->n + 1}, {from->i, from->i + entries}, {from->x, from->x + entries}};
}

/// The ones on the diagonal of L, which come first, are nobody's work.
Columns below_the_diagonal(const Matrix& from) {
  Columns below;
  below.positions.push_back(0);
  for (int j = 0; j < from->n; ++j) {
    below.coordinates.insert(below.coordinates.end(), from->i + from->p[j] + 1, from->i + from->p[j + 1]);
    below.values.insert(below.values.end(), from->x + from->p[j] + 1, from->x + from->p[j + 1]);
    below.positions.push_back(static_cast<int>(below.coordinates.size()));
  }
  return below;
}

/// Row by row, into columns.
void find_pattern(const cs_di& matrix) {
  const auto n = static_cast<std::size_t>(matrix.n);
  int* parent = cs_di_etree(&matrix, 0);
  std::vector<int> stack(n), rows;
  std::vector<int> marked(matrix.p, matrix.p + matrix.n + 1);  // columns' begins, which cs_ereach flips and flips back
  std::vector<std::size_t> begin{0};
  for (int k = 0; k < matrix.n; ++k) {
    for (int top = cs_di_ereach(&matrix, k, parent, stack.data(), marked.data()); top < matrix.n; ++top)
      rows.push_back(stack[static_cast<std::size_t>(top)]);
    begin.push_back(rows.size());
  }
  std::vector<std::size_t> next(n + 1, 0);
  for (const int j : rows) ++next[static_cast<std::size_t>(j) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int> columns(rows.size());
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t p = begin[k]; p < begin[k + 1]; ++p)
      columns[next[static_cast<std::size_t>(rows[p])]++] = static_cast<int>(k);
  cs_di_free(parent);
}

}  // namespace

std::optional<Factored> cxsparse_cholesky(const Compressed& a, Ordering ordering) {
  const Matrix matrix = ordering == Ordering::amd ? in_amd_order(sorted(copied(a))) : sorted(copied(a));
  const std::shared_ptr<cs_dis> symbolic(cs_di_schol(0, matrix.get()), [](cs_dis* s) { cs_di_sfree(s); });
  cs_din* numeric = symbolic ? cs_di_chol(matrix.get(), symbolic.get()) : nullptr;
  if (!numeric) return std::nullopt;
  const Matrix factor = sorted(owned(std::exchange(numeric->L, nullptr)));
  cs_di_nfree(numeric);
  Factored result;
  result.n = a.rows;
  result.a = columns_of(matrix), result.l = columns_of(factor);
  result.factor = [matrix, symbolic] { cs_di_nfree(cs_di_chol(matrix.get(), symbolic.get())); };
  result.pattern = [matrix] { find_pattern(*matrix); };
  result.solve_lower = [factor](double* x) { cs_di_lsolve(factor.get(), x); };
  result.solve_upper = [factor](double* x) { cs_di_ltsolve(factor.get(), x); };
  return result;
}

std::optional<Triangles> cxsparse_lu(const Columns& a) {
  const Matrix matrix = copied(a);
  const std::shared_ptr<cs_dis> symbolic(cs_di_sqr(0, matrix.get(), 0), [](cs_dis* s) { cs_di_sfree(s); });
  // So small a tolerance takes every diagonal element as pivot.
  const auto factor = [matrix, symbolic] { return cs_di_lu(matrix.get(), symbolic.get(), 1e-300); };
  cs_din* numeric = symbolic ? factor() : nullptr;
  if (!numeric) return std::nullopt;
  const Matrix l = sorted(owned(std::exchange(numeric->L, nullptr)));
  const Matrix u = sorted(owned(std::exchange(numeric->U, nullptr)));
  cs_di_nfree(numeric);
  // Room for all entries from the beginning, as it asks for that of a dense column before each.
  symbolic->lnz = l->p[l->n] + l->n, symbolic->unz = u->p[u->n] + u->n;
  return Triangles{below_the_diagonal(l), columns_of(u), [factor] { cs_di_nfree(factor()); }};
}

std::optional<Reached> cxsparse_reached(const Columns& l, const std::vector<int>& ones) {
  const Matrix factor = copied(l);
  const auto n = static_cast<std::size_t>(factor->n);
  const Matrix b = owned(cs_di_spalloc(factor->n, 1, static_cast<int>(ones.size()), 1, 0));
  b->p[0] = 0, b->p[1] = static_cast<int>(ones.size());
  std::copy(ones.begin(), ones.end(), b->i);
  std::fill(b->x, b->x + ones.size(), 1.0);
  const auto places = std::make_shared<std::vector<int>>(2 * n);
  const auto x = std::make_shared<std::vector<double>>(n);
  const auto solve = [factor, b, places, x] {
    return cs_di_spsolve(factor.get(), b.get(), 0, places->data(), x->data(), nullptr, 1);
  };
  Reached result;
  result.places.assign(places->begin() + solve(), places->begin() + factor->n);
  std::ranges::sort(result.places);
  for (const int i : result.places) result.values.push_back((*x)[static_cast<std::size_t>(i)]);
  result.solve = solve;
  return result;
}

}  // namespace trellis::bench

#else

namespace trellis::bench {

std::optional<Factored> cxsparse_cholesky(const Compressed&, Ordering) { return std::nullopt; }
std::optional<Triangles> cxsparse_lu(const Columns&) { return std::nullopt; }
std::optional<Reached> cxsparse_reached(const Columns&, const std::vector<int>&) { return std::nullopt; }

}  // namespace trellis::bench

#endif
