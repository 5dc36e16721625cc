#pragma once
// An entry that was appended is not looked up again in the same block: who reads it behind, in loops too, takes the
// value that went in.
//
//   append L(i, j) = e unless it is the fill             let L_value = e
//   locate pL = find L.2 below [i] at j           →        if L_value != 0
//     if pL >= 0                                             append L(i, j) = L_value
//       t += L[pL]^2                                         t += L_value^2

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// The append that a statement comes to, behind nothing but look-ups and names of values; null when there is none.
const Stmt* append_in(const Stmt& s);

/// What is below this position at the level is the fiber that the append goes to, which is the last level's.
bool is_below(const Position& parent, int level, const Append& append);

Flow forward_appends(const Flow& flow);

}  // namespace trellis::flow
