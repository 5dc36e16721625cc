#pragma once
// Several iterations of a loop at once, in the loops inside it (unroll and jam). Asked for by `jam t 4`, which the
// schedule has found to be legal (schedule/jam.hpp):
//
//   loop t in 0:n jam 4                      loop t in 0:n by 4
//     loop j in 1:m                            loop j in 1:m
//       x[t][j] = x[t][j-1] + …        →         x[t][j] = x[t][j-1] + …
//                                                x[t + 1][j] = x[t + 1][j-1] + …       and two more
//                                            loop t in 0:n by 2 after 4                with two of them
//                                            loop t in 0:n after 2                     as it was
//
// Statements stand in the order of the body, each for all of the iterations. So do loops whose range is the same in all
// of them; of others, what the ranges have in common, with each iteration's own part before and behind. A walk over
// entries that differ, a branch and what appends come iteration by iteration. Temporaries that an iteration declares
// become as many.

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// Before promote_accumulators, which makes registers of what the iterations leave. Empty, and E0149, where nothing
/// inside a loop can be shared by its iterations.
std::optional<Flow> unroll_and_jam(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
