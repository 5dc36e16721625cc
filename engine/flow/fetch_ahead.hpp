#pragma once
// Rows that the entries of a sparse operand choose are fetched from memory some entries ahead, while others are dealt
// with:
//
//   coiterate j in 0:m                              coiterate j in 0:m
//     lead pA at A.2 below [i]              →         lead pA at A.2 below [i]
//     while pA                                        fetch j_ahead ahead: E[j_ahead][0]
//       loop k in 0:r                                 while pA
//         … E[j][k] …                                   …
//
// A row has no neighbour that a processor could guess it by. Nothing that is computed depends on it.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow fetch_ahead(const Flow& flow);

}  // namespace trellis::flow
