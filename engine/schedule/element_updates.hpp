#pragma once
// What an element becomes of what it was, in both notations: `C(i,j) += e` and `C(i,j) = C(i,j) + e`.

#include <optional>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

/// What an update makes of the old value; empty for an operation that no expression stands for.
std::optional<loop::Expr> updated(format::ReduceOp op, const loop::Expr& old, const loop::Expr& value);

/// With updates for assignments to the tensor that combine the element's old value with something else: where that is
/// the operation's identity, nothing happens.
loop::Stmt with_updates(const loop::Stmt& loops, const std::string& tensor);

}  // namespace trellis::schedule
