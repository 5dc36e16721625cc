#pragma once
// Computes before a loop in vectors, or one that combines values and may become one, what in it says in which of a few
// buffers a step is: compilers that cannot see that it stays the same run such loops element by element.
//
//   loop i in 1:n vector { U[(t + 1) % 2][i] = U[t % 2][i - 1] }
//     →   let slot = (t + 1) % 2 { let slot_2 = t % 2 { loop i in 1:n vector { U[slot][i] = U[slot_2][i - 1] } } }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow name_remainders(const Flow& flow);

}  // namespace trellis::flow
