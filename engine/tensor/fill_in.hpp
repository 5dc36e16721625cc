#pragma once
// Where a factor of a square matrix has entries, out of where the matrix has some: F(i,j) = S(i,j) or F(i,k) and F(k,j)
// for some k < min(i,j). Sources: Liu, The role of elimination trees in sparse factorization; Eisenstat and Liu,
// Exploiting structural symmetry in unsymmetric sparse symbolic factorization; docs/design/recurrences.md#elimination.

#include <cstdint>
#include <functional>
#include <span>
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

/// Columns below the diagonal, in runs of neighbours: column j of a run that ends before `e` has the rows from j + 1 to
/// e - 1, and then those that are noted for the run.
struct ColumnRuns {
  std::vector<std::int32_t> first;  ///< column of each run, and behind the last the number of columns
  Lists rows;                       ///< of each run, sorted

  std::int64_t count() const { return rows.count(); }
  std::int64_t columns() const { return first.back(); }
  std::int64_t entries() const;
};
/// Those of the factor. Each row of a run is come by once, so that this takes as long as there are such rows and items,
/// not as long as there are entries.
ColumnRuns fill_in(const Lists& rows, const std::vector<std::int32_t>& parent);
/// One by one, sorted.
Lists columns_of(const ColumnRuns& runs);

/// The same, wherever the rows are, which have to outlive this.
struct RunsOfColumns {
  std::vector<std::int32_t> first;                                   ///< as of ColumnRuns
  std::function<std::span<const std::int32_t>(std::int64_t)> below;  ///< rows that are noted for a run

  std::int64_t count() const { return std::ssize(first) - 1; }
};
RunsOfColumns runs_of(const ColumnRuns& runs);
/// Where their columns begin, one behind the other, and where the last one ends. `diagonal`: of those columns that it
/// holds for, row j comes first; null: of none.
std::vector<std::int64_t> begins_of(const RunsOfColumns& runs, const std::vector<char>* diagonal);
/// Writes them to where they begin: the rows of the first column of a run, of which others have the end.
void write_columns(const RunsOfColumns& runs, const std::vector<char>* diagonal, std::int32_t* to);

/// Both triangles of an unsymmetric factor, by columns, without the diagonal.
struct Triangles {
  Lists lower, upper;
};
/// `columns`: the rows of each, in any order. Columns are walked as far as the pruned ones reach.
Triangles fill_in(const Lists& columns);

}  // namespace trellis::tensor
