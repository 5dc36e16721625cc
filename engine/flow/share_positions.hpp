#pragma once
// Where an entry stands that a loop is at, or that was looked up around, need not be looked up again. That of a mask is
// that of the result which has the mask's entries (docs/design/recurrences.md#known-patterns):
//
//   coiterate k in 0:i { lead pM at M.2 below [i]; while pM { locate pL = find L.2 below [i] at k { L[pL] = … } } }
//   →   … while pM { L[pM] = … }                                                  L: with the entries of M
//
// A look-up of an entry that a walk of the same pattern in another layout has come by finds it for certain, and what it
// finds needs no question.
//
// Positions of operands, and of results that have the entries of one, never move.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow share_positions(const Flow& flow);

}  // namespace trellis::flow
