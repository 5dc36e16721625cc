#pragma once
// Nothing searches a fiber for a loop's high bound where it is known to end before, or where what is behind does not
// matter.
//
//   for i { for j { for k in 0:j { t += L(i,k)*L(j,k) }; L(i,j) = … - t } }
//
// L(i,j) comes behind all that has been appended so far, so that row i ends before j while the loop over k runs. Row j
// is searched: a loop that walks both would else go on through row i when row j has nothing left below j. Fibers that a
// loop keeps an eye on, while others or its bounds say where it goes, need no end at all.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Before appended values are forwarded.
Flow known_ends(const Flow& flow);

}  // namespace trellis::flow
