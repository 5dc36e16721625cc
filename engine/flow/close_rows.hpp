#pragma once
// A loop through all rows of a {dense, sparse} result closes each of them as its iteration ends, so that no entry need
// ask how many rows before its own are still open:
//
//   loop i in 0:n                       loop i in 0:n closes C                 C_pos[0] = 0;
//     coiterate j in 0:m           →      coiterate j in 0:m              =    for (int64_t i = 0; …) {
//       append C(i, j) = e                  append C(i, j) = e                   for (…) { …; pC += 1; }
//                                                                                C_pos[i + 1] = pC;
//
// The loop comes by once, from the first row on, and all that is appended is of the row that it is at. Several loops
// may share the rows out, one after another, as those of matrices that are stacked.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After count_appends.
Flow close_rows(const Flow& flow);

}  // namespace trellis::flow
