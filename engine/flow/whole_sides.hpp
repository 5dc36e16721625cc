#pragma once
// Loops over a side of a tile that no register holds (hold_in_registers.hpp), as those of the part that a triangle cuts
// off: where the side is whole, so many iterations, in vectors.
//
//   for i in 8*t:min(n, 8*t + 8) { … }   →   if (n - 8*t - 8 >= 0) { for i in 8*t:8*t + 8 in vectors { … } }
//                                            else { as it was }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Behind hold_in_registers. Of innermost loops whose iterations touch elements of their own.
Flow whole_sides(const Flow& flow);

}  // namespace trellis::flow
