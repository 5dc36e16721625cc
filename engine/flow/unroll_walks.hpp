#pragma once
// Two entries in each iteration of a walk, with a test behind each, where the entries choose elements:
//
//   coiterate j in 0:m carried                      coiterate j in 0:m carried unroll 2
//     lead pA at A.2 below [i]              →         lead pA at A.2 below [i]
//     while pA                                        while pA
//       y[j] += A[pA] * x[i]                            y[j] += A[pA] * x[i]
//
// Half as many jumps back, and addresses that one addition serves twice: where rows are of different length, and a
// processor cannot foresee their ends, a product takes 7 % less (2 % more where all are of one length; Intel Xeon).
// AMD's processors gain nothing by it, and take one (emit/prelude/prefetch.c). Loops over neighbours are left to the C
// compiler, which has vectors for them.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After carry_positions.
Flow unroll_walks(const Flow& flow);

}  // namespace trellis::flow
