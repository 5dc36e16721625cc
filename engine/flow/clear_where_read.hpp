#pragma once
// A workspace that is read at the entries of some fibers alone is cleared at these, not all of it:
//
//   declare w                             declare w
//   loop j in 0:n                         coiterate j in 0:n
//     w[j] = 0                              lead pA at A.2 below [i]
//   … w[j] += B[pB] * C[pC] …       →         … w[j] = 0
//   coiterate j in 0:n                    … w[j] += B[pB] * C[pC] …
//     lead pA at A.2 below [i]            coiterate j in 0:n
//       … A[pA] * w[j] …                    …
//
// What is added up elsewhere begins with whatever is there, and nobody looks at it. A product that is masked by a
// matrix of few entries, such as one that counts triangles, spends its time in clearing otherwise.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow clear_where_read(const Flow& flow);

}  // namespace trellis::flow
