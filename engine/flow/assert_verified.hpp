#pragma once
// After each step that makes control flow: `verify`, in builds with assertions.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// What is broken is said, with the flow, and the program ends.
void assert_verified(const Flow& flow);

}  // namespace trellis::flow
