#pragma once
// A factor by supernodes, as `supernodes L` asks: columns with like rows are a panel, which is updated by one finished
// panel after the other, and then by its own columns. Where the sums of a column were, panels keep those of all theirs
// in the places of the factor itself, until its equations take them from there. (docs/design/blocks.md#supernodes)
//
//   loop j in 0:n                                        loop s of S                       f: its first column
//     loop k in 0:j                                        L_place[i] = its number         of each row i of the panel
//       if column k stores row j                   →       walk d of S_updates[s]            finished panels
//         loop i in column k                                 blocks of 8 columns j and 24 rows i of them:
//           tL[i] += L(i,k)*L(j,k)                              declare tile[8][24]; loop k in d: tile += L(i,k)*L(j,k)
//     column j from its sums                                    L(i,j) += tile, scattered by L_place
//                                                          for blocks of 8 columns j of the panel:
//                                                            the same, by its columns before the block
//                                                            in turn: by those in the block; column j from its sums
//
// All terms are those of before, in another order. A panel stores, in column f + c, the rows from the c-th on of its
// first column, so that each of its columns begins where that row's number says. The last block of a panel ends where
// the panel does, and leaves out what the one before has done; where it begins above a column's own first row it reads
// lanes from the column before, which nobody stores. So nothing of another panel is read, which a thread may be about
// to write.
//
// Panels are added up in their order. On threads, a panel waits for each of those before it where it comes to need it,
// and has the other arrays for itself: what is computed stays the same.

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// Before sums become local variables (promote_accumulators), and behind what moves conditions out of loops. E0158
/// where the loops are none that panels can take the place of.
std::optional<Flow> by_supernodes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
