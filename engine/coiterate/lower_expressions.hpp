#pragma once
// Expressions over logical arrays to expressions over positions in storage.
//
//   A(i,j) * x(j)     A[pA] * x[j]
//   B(i,j)            pB >= 0 ? B[pB] : 0      where it was looked up, and may be missing

#include <vector>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// One of the lists holds, each of which is not empty.
Expr any_of(Context& in, const std::vector<Conditions>& lists);

}  // namespace trellis::coiterate
