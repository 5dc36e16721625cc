#pragma once
// What operands offer a loop where lowering stands: a sequence each, where its variable indexes a sparse level, in a
// way that has an inverse, below a parent that is known; and the loop leaves the tensor alone.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

Offers offers_of(Context& in, const loop::For& f);

}  // namespace trellis::coiterate
