#pragma once
// A loop that asks only now and then whether it is over can run in vectors between, where its iterations are simple
// enough:
//
//   loop j in 0:n unless x              loop j in 0:n unless x every 1024
//     x ||= F[j]                  →       x ||= F[j]
//
// The iterations that come after it is over change nothing (flow/early_exit.hpp).

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After leave_early.
Flow ask_in_blocks(const Flow& flow);

}  // namespace trellis::flow
