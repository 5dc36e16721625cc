#pragma once
// Results that the kernel also looks into, while it appends to them, hold at every moment what they have so far: their
// fibers end where the last entry does, and those that come later are empty. Others get their ends as they are done.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Sets `Tensor::readable`.
Flow keep_readable(const Flow& flow);

}  // namespace trellis::flow
