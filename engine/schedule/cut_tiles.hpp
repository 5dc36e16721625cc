#pragma once
// Loops over tiles in three, where a triangle's border goes through some of them: before, on and behind the border, so
// that all tiles but those on it are whole.
//
//   for i_8 in 0:n/8 { for i in tile { for j in 24*j_24:min(i, 24*j_24 + 24) { … } } }
//   →   for i_8 in 0:3*j_24 { }  for i_8 in 3*j_24:3*j_24 + 3 { as it was }
//       for i_8 in 3*j_24 + 3:n/8 { for i in tile { for j in 24*j_24:24*j_24 + 24 { … } } }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// Of loops marked `registers` by schedule/registers.hpp, and those around them.
loop::Stmt cut_tiles(const loop::Stmt& loops, math::Solver& solver);

}  // namespace trellis::schedule
