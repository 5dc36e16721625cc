#pragma once
// Keeps an element that a loop accumulates into in a local variable while the loop runs.
//
//   loop k in 0:j                              declare L_ij
//     L[i][j] -= L[i][k] * L[j][k]      →      L_ij = L[i][j]
//                                              loop k in 0:j
//                                                L_ij -= L[i][k] * L[j][k]
//                                              L[i][j] = L_ij
//
// Done at the outermost serial loop in which the element's position does not change, if every other access in it is to
// the same element or provably to another one, and the element provably exists even when the loop runs no iteration.
// Scalars that a parallel loop reduces become locals too, which its reduction clause needs.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow promote_accumulators(const Flow& flow);

}  // namespace trellis::flow
