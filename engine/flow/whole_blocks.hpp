#pragma once
// Blocks at the edge of a matrix may reach beyond it, all others are whole: their loops run so many iterations, which
// the C compiler then unrolls, and keeps what they accumulate in registers.
//
//   for i in 0:min(n - 4*I, 4) { for j in 0:min(m - 4*J, 4) { … } }
//   →   if (n - 4*I >= 4 && m - 4*J >= 4) { for i in 0:4 { for j in 0:4 { … } } } else { as it was }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow whole_blocks(const Flow& flow);

}  // namespace trellis::flow
