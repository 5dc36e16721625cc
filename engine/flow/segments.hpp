#pragma once
// All entries that share a coordinate, one after the other in storage: the segment that a cursor stands at.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// The loop in whose iterations the loop's only cursor goes through all that a coordinate has, once in each; else null.
const Coiterate* walks_segment(const Flow& flow, const Coiterate& loop);

/// That one, where it takes the cursor along.
const Coiterate* carries_segment(const Flow& flow, const Coiterate& loop);

}  // namespace trellis::flow
