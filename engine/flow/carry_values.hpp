#pragma once
// Keeps what an iteration of an innermost loop stores and the next one reads in a local variable, where the loop stores
// to several places of the same tensor. The C compiler, which cannot see that they differ, would load it again:
//
//   loop j in 1:m                                declare x_last; x_last = 1 < m ? x[t][0] : 0
//     x[t][j] = x[t][j - 1] + …                  loop j in 1:m
//     x[t + 1][j] = x[t + 1][j - 1] + …     →      x_last = x_last + …
//                                                  x[t][j] = x_last                            and x_last2 likewise
//
// Of loops that do nothing else than assign, of reads that every iteration does before that store, and where each other
// store is at a constant distance, so that it provably misses the element.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After unroll_and_jam, whose loops are such, and promote_accumulators.
Flow carry_values(const Flow& flow);

}  // namespace trellis::flow
