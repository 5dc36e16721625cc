#pragma once
// Writes of one value, `h(img(x,y)) = 1`: it does not matter which of them comes last.

#include <map>

#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

/// Has it one value, whatever the iteration and whatever tensors hold?
bool is_fixed(const loop::Expr& expr);

/// What assignments and resets write that write such a value, by the numbers of the statements.
std::map<int, loop::Expr> fixed_values(const loop::Stmt& loops);

}  // namespace trellis::schedule
