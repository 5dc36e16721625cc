#pragma once
// Leaves a walk once a condition no longer holds under which it does all that it does: nothing that it goes on to
// changes that.
//
//   coiterate j in 0:n { if !(p >= 0) { p = j } }        →        coiterate j in 0:n unless p >= 0 { p = j }
//
// That is what a loop with `until` becomes where it walks entries (coiterate/lower_until.cpp). The condition is one
// that the walk changes, and that can be asked before it. By regions, whose coordinates are dealt with one by one in
// the end, each of them keeps asking. A loop over all coordinates asks inside, so that it still runs in vectors.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow leave_guarded(const Flow& flow);

}  // namespace trellis::flow
