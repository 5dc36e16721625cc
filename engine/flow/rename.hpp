#pragma once
// One variable instead of another: in names, and where a position is what it holds.

#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Neither is bound inside the statement.
Stmt renamed(const Stmt& stmt, const std::string& from, const std::string& to);

}  // namespace trellis::flow
