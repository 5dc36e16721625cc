#pragma once
// A loop that asks only now and then whether it is over can run in vectors between, where its rounds are simple enough:
//
//   loop j in 0:n unless x              loop j in 0:n unless x every 1024
//     x ||= F[j]                  →       x ||= F[j]
//
// The rounds that come after it is over change nothing (flow/early_exit.hpp).

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After leave_early.
Flow ask_in_blocks(const Flow& flow);

/// Are its rounds without loops, searches and insertions, and not written out several times already?
bool has_simple_rounds(const Loop& loop);

}  // namespace trellis::flow
