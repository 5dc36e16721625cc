#pragma once
// Loops that append all entries of an operand one after the other, changed in nothing but their coordinates. Room is
// asked for once then, and each array is filled by a loop of its own, which the C compiler turns into a block copy:
//
//   loop l in n:n+q closes V                          count = B_pos[q] - B_pos[0];        there is room for so many
//     coiterate j in 0:m                              V_crd[pV + k] = B_crd[k];           for all k
//       lead pB at B.2 below [l - n]           =      V[pV + k] = B[k];                   for all k
//       append V(l, j) = B[pB]                        V_pos[l + 1] = pV + B_pos[l - n + 1] - B_pos[0];    for all l
//
// Of rows that do not lie side by side, as those of a slice with a step, each is filled so. Where a slice leaves
// entries out, too, each entry of the fiber is written to the next place, which it keeps if it is one of the slice:
// nothing has to be foreseen.

#include <optional>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct CopiedEntries {
  const Coiterate* walk;  ///< over the last level
  const Append* append;   ///< its body
  const Cursor& cursor() const { return walk->cursors[0]; }
  /// Those outside of the loop's bounds, or between the multiples of a stride.
  bool leaves_out() const { return cursor().below || cursor().above || cursor().stride > 1; }
};

/// Row after row, of operand and result, whose rows the loop closes.
std::optional<CopiedEntries> copies_rows(const Flow& flow, const Loop& loop);
/// Tuple after tuple, whose first coordinates are those of the loop.
std::optional<CopiedEntries> copies_tuples(const Flow& flow, const Coiterate& loop);
/// Entries of one fiber of an operand, in a row of a result.
std::optional<CopiedEntries> copies_fiber(const Flow& flow, const Coiterate& walk);

}  // namespace trellis::flow
