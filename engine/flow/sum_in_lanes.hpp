#pragma once
// Sums of floating numbers in so many parts, each of which is added up in its own lane of a vector:
//
//   loop j in 0:m vector 8 reduces s         →      declare s_lanes; reset s_lanes = 0
//     s += A[i][j] * x[j]                           loop j_block in 0:m/8
//                                                     loop j_lane in 0:8 vector
//                                                       let j = 8*j_block + j_lane
//                                                         s_lanes[j_lane] += A[i][j] * x[j]
//                                                   loop j_lane in 0:m%8
//                                                     let j = m - m%8 + j_lane
//                                                       s_lanes[j_lane] += A[i][j] * x[j]
//                                                   loop j_lane in 0:4: s_lanes[j_lane] += s_lanes[j_lane + 4]
//                                                   loop j_lane in 0:2: s_lanes[j_lane] += s_lanes[j_lane + 2]
//                                                   s += s_lanes[0] + s_lanes[1]
//
// Additions no longer wait for each other. They come in another order, which is the same one on every machine and in
// every back end: the user asked for it by `vectorize j 8`. Products likewise. Only loops that do nothing else than
// assignments.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After promote_accumulators.
Flow sum_in_lanes(const Flow& flow);

}  // namespace trellis::flow
