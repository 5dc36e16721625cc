#pragma once
// What a body does where that is one statement.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Remarks aside; null where there are several, or none.
const Stmt* only_statement(const Stmt& body);

}  // namespace trellis::flow
