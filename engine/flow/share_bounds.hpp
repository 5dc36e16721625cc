#pragma once
// Where a look-up beside a loop has been is where the loop begins or ends: it is not sought twice.
//
//   coiterate j in 0:i { lead pL_2 at L.2 below [i]: t += … }; locate pL = find L.2 below [i] at i { x[i] = … / L[pL] }
//   →   locate pL with what is near = … { coiterate j in 0:i { lead pL_2 … up to pL: … }; x[i] = … / L[pL] }
//
// A look-up that a loop needs comes before the loop; entries stand still, so that it finds the same there.
// (docs/design/recurrences.md#bounds-that-look-ups-share)

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow share_bounds(const Flow& flow);

}  // namespace trellis::flow
