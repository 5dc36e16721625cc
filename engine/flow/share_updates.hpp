#pragma once
// What the iterations of a parallel loop update together. Of a scalar temporary, each thread has a part of its own, as
// long as all updates are of one operation; anything else is one element for all, and each update of it is atomic:
//
//   loop i in 0:n parallel reduces s reduces h             loop i in 0:n parallel reduces s by += reduces h
//     s += x[i]                                     →        s += x[i]
//     h[k[i]] += 1                                           atomic h[k[i]] += 1
//
// Only the outermost of parallel loops runs on threads, and of walks only those of one operand, whose entries can be
// dealt out before they are met: the others become serial.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After promote_accumulators, which makes temporaries of scalars.
Flow share_updates(const Flow& flow);

}  // namespace trellis::flow
