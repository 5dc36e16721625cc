#pragma once
// A loop that asks only now and then whether it is over can run in vectors between, where its iterations are simple
// enough:
//
//   loop j in 0:n unless x              loop j in 0:n unless x every 1024
//     x ||= F[j]                  →       x ||= F[j]
//
// A walk along stored entries that only finds out whether it is over asks after a few of them: rows are short, and
// where one ends is foreseen better than where the first true entry stands.
//
//   coiterate j in 0:n unless x         coiterate j in 0:n unless x every 8
//     lead pA at A.2 below [i]            lead pA at A.2 below [i]
//     while pA                            while pA
//       x ||= F[j]                  →       x ||= F[j]
//
// The iterations that come after it is over change nothing (flow/leave_early.hpp).

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After leave_early.
Flow ask_in_blocks(const Flow& flow);

}  // namespace trellis::flow
