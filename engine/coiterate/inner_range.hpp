#pragma once
// What loops inside add to an index, from the least to the greatest: which segments of a level the loop around sees
// (docs/design/shapes.md#segments).
//
//   for i { for j in 0:8 { … c(8*i+j) … } }        at i: 8*i is known, j adds 0 to 7

#include <optional>

#include "engine/access/sequence.hpp"
#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Of the level's index, at the loop; wherever in it the access is read. Nothing where all of the index is known at
/// each iteration of the loop, or where it is not known before the loops inside how much they add.
std::optional<access::Place::Inner> inner_range(Context& in, const loop::For& loop, const lang::Access& access,
                                                int level);

}  // namespace trellis::coiterate
