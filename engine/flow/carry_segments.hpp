#pragma once
// All entries that share a coordinate are walked by a loop inside, which takes the cursor of the loop around along:
// where they end is found as they are walked, and not before.
//
//   coiterate i in 0:n                                 while (pE1 < pE1_end) {
//     lead pE1 at E.1                                    const int64_t i = E1_crd[pE1];
//     coiterate j in 0:m                    →            int64_t pE = pE1;
//       lead pE at E.2 below [pE1…]                      for (; pE < pE1_end && E1_crd[pE] == i; pE++) …
//                                                        pE1 = pE; }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow carry_segments(const Flow& flow);

}  // namespace trellis::flow
