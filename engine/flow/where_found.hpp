#pragma once
// What a look-up does where it finds something.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// If nothing is done elsewhere; else null.
const Stmt* where_found(const Locate& look_up);

}  // namespace trellis::flow
