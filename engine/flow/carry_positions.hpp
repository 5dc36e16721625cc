#pragma once
// Where one fiber ends the next begins, so a loop over all fibers need not look up where each begins:
//
//   loop i in 0:n                                             loop i in 0:n carries pA            int64_t pA = A_pos[0];
//     coiterate j in 0:m                             →          coiterate j in 0:m carried   =    for (int64_t i = 0; …) {
//       lead pA at A.2 below [i]                                  lead pA at A.2 below [i]          for (; pA < A_pos[i + 1]; pA++)
//
// The first entry of a row then waits for no load, which pays where rows are short. Where an entry takes a loop of its
// own, that wait does not matter, and a variable more to keep around the loop costs more.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow carry_positions(const Flow& flow);

}  // namespace trellis::flow
