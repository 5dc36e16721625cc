#pragma once
// Loops over a part of a tile say of which: where a triangle's border decides, the tile's own bounds have been dropped,
// as they always hold.
//
//   for i_8 in 3*j_24:3*j_24 + 3 { for i in 8*i_8:8*i_8 + 8 { for j in i:24*j_24 + 24 { … } } }
//   →                                                         for j in max(i, 24*j_24):24*j_24 + 24 { … }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// Of loops marked `registers`: bounds that others over the same variable have, as far as they are known to hold.
loop::Stmt bounds_of_tiles(const loop::Stmt& loops, math::Solver& solver);

}  // namespace trellis::schedule
