#pragma once
// A parallel loop whose threads get as many rows and entries together each (flow::MergePath): where its parts begin and
// end, which may be within a row.
//
//   #pragma omp for nowait
//   for (int64_t A_part = 0; A_part < A_parts; A_part++) {
//     const int64_t A_begin = A_all * A_part / A_parts, A_first = rows_before(A_pos, n, A_begin);
//     const int64_t A_from = A_begin - A_first, …
//     for (int64_t i = A_next; i < A_last || (i == A_last && i < n && A_pos[i] < A_to); i++) { … }
//   }
//
// Of a loop that counts what its iterations append, and then fills, rows are whole: a part has those that begin in it.
//
// Source: Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016, section 3.

#include "engine/emit/context.hpp"
#include "engine/emit/threads.hpp"

namespace trellis::emit {

/// The rows of a part.
struct PartOfRows {
  c::Expr first;
  /// Is the row one of them?
  std::function<c::Expr(const std::string& row)> more;
  /// At the start of a row: whether all of it is this part's, which `Context::share` names.
  std::function<void(const std::string& row)> begin;
};

/// `loop` adds the loop over the rows of a part; there are `count` rows in all, from the first on.
void deal_out(Context& out, Threads& threads, const flow::MergePath& path, const Threads::Work& work,
              const c::Expr& count, const std::function<void(const PartOfRows&)>& loop);

/// Parts of whole rows: the same each time that threads go through them.
class WholeRows {
 public:
  /// Names how much there is, in front of the threads.
  WholeRows(Context& out, const flow::MergePath& path, const c::Expr& count);
  /// Adds the loop over parts; `loop` that over the rows of one, from `first` on and before `last`.
  void each_part(const std::function<void(const c::Expr& first, const c::Expr& last)>& loop) const;

 private:
  Context& out_;
  const flow::Tensor& tensor_;
  const int level_;
  c::Expr positions_, rows_, all_, parts_;
};

}  // namespace trellis::emit
