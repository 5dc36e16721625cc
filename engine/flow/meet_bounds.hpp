#pragma once
// Where one loop over a fiber ends, another beside it begins: both bounds are one look-up, which is made before them.
// As it is one, it may march.
//
//   coiterate i in j+1:n { lead pL at L.2 below [k] … }; coiterate i in k+1:j+1 { lead pL at L.2 below [k] … }
//   →   locate pL_split with what is near = find L.2 below [k] at j+1 { … from there; … up to there }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow meet_bounds(const Flow& flow);

}  // namespace trellis::flow
