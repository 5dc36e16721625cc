#pragma once
// A bytemap lists its coordinates in the order in which they were inserted, and is sorted before it is walked. Where
// its entries are only counted, any order will do:
//
//   coiterate j in 0:m                            coiterate j in 0:m
//     lead pw at w.1                        →       lead pw at w.1 in any order
//     while pw                                      while pw
//       count C(i, j)                                 count C(i, j)

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After count_appends.
Flow leave_unsorted(const Flow& flow);

}  // namespace trellis::flow
