// CXSparse beside us: factors and triangular solves, column by column.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_CXSPARSE
#include <cs.h>

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

void take(const Matrix& from, std::vector<int>& positions, std::vector<int>& coordinates, std::vector<double>& values) {
  const int entries = from->p[from->n];
  positions.assign(from->p, from->p + from->n + 1);
  coordinates.assign(from->i, from->i + entries);
  values.assign(from->x, from->x + entries);
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
  take(matrix, result.a_positions, result.a_coordinates, result.a_values);
  take(factor, result.positions, result.coordinates, result.values);
  result.factor = [matrix, symbolic] { cs_di_nfree(cs_di_chol(matrix.get(), symbolic.get())); };
  result.pattern = [matrix] { find_pattern(*matrix); };
  result.solve_lower = [factor](double* x) { cs_di_lsolve(factor.get(), x); };
  result.solve_upper = [factor](double* x) { cs_di_ltsolve(factor.get(), x); };
  return result;
}

}  // namespace trellis::bench

#else

namespace trellis::bench {

std::optional<Factored> cxsparse_cholesky(const Compressed&, Ordering) { return std::nullopt; }

}  // namespace trellis::bench

#endif
