#pragma once
// Values that an innermost loop reads at one place, iteration after iteration, are read before it:
//
//   for p { t[crd[p]] += L[p] * L[pL] }      const double L_value = L[pL]; for p { t[crd[p]] += L[p] * L_value }
//
// A compiler does so itself where `restrict` tells it that t is not L, but that is not known within `omp parallel`,
// whose statements become a function of their own: the pass is for loops inside of parallel ones.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow keep_values(const Flow& flow);

}  // namespace trellis::flow
