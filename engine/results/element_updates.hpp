#pragma once
// What an element becomes of what it was, as an expression: of `C(i,j) += e` that is `C(i,j) + e`.

#include <optional>

#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// What an update makes of the old value; empty for an operation that no expression stands for.
std::optional<loop::Expr> updated(format::ReduceOp op, const loop::Expr& old, const loop::Expr& value);

}  // namespace trellis::results
