#pragma once
// Where a factor of a square matrix has entries, out of where the matrix has some: F(i,j) = S(i,j) or F(i,k) and F(k,j)
// for some k < min(i,j). Sources: Liu, The role of elimination trees in sparse factorization; Eisenstat and Liu,
// Exploiting structural symmetry in unsymmetric sparse symbolic factorization; docs/design/recurrences.md#elimination.

#include <cstdint>
#include <vector>

namespace trellis::tensor {

/// Of each number 0 … n - 1 a list of numbers: begin[k] … begin[k + 1] in `items`.
struct Lists {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> items;

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

/// k is in list j of the result where j is in list k; sorted. O(items + count).
Lists transposed(const Lists& lists);
/// Number count - 1 - k in place of k, in each list too.
Lists reversed(const Lists& lists);

/// The elimination tree of a symmetric pattern: of each column the first row below its diagonal in which the factor has
/// an entry, or -1. `rows`: of each row i its columns k < i, in any order. O(items * α).
std::vector<std::int32_t> elimination_tree(const Lists& rows);
/// Of each column the entries of the factor below its diagonal, none of which is visited. O(items * α). Source:
/// Gilbert, Ng and Peyton, An efficient algorithm to compute row and column counts for sparse Cholesky factorization.
std::vector<std::int32_t> column_counts(const Lists& rows, const std::vector<std::int32_t>& parent);
/// The columns of the factor below the diagonal, sorted: the rows of a run of columns with like ones are found once,
/// and copied.
Lists fill_in(const Lists& rows, const std::vector<std::int32_t>& parent);

/// Both triangles of an unsymmetric factor, by columns, without the diagonal.
struct Triangles {
  Lists lower, upper;
};
/// `columns`: the rows of each, in any order. Columns are walked as far as the pruned ones reach.
Triangles fill_in(const Lists& columns);

}  // namespace trellis::tensor
