#pragma once
// Loops that were asked to run in vectors do so where their iterations are apart. What they update together, an array
// that each of them would need, and a loop on all threads keep them from it:
//
//   loop j in 0:m vector reduces s      →      loop j in 0:m reduces s
//     s += x[j]                                  s += x[j]
//
// The C compiler may still find vectors in it by itself.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After sum_in_lanes, which takes iterations apart, and share_updates.
Flow run_in_vectors(const Flow& flow);

}  // namespace trellis::flow
