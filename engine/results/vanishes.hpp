#pragma once
// What happens where an operand holds its fill: `s += A(i,k)*x(k)` adds nothing where A(i,k) is 0. As everywhere in
// coiteration, an absent annihilator wins: 0*x is 0 whatever x is.

#include <functional>
#include <optional>

#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// The fill of an access that is known to hold it.
using AtFill = std::function<std::optional<format::Value>(const lang::Access&)>;

/// The expression where those accesses hold their fills, simplified: a constant if that is all it comes to.
loop::Expr at_fill(const loop::Expr& expr, const AtFill& known);

/// Does the statement do nothing there? Only updates whose value comes to the identity do; a plain assignment writes.
bool vanishes(const loop::Stmt& stmt, const AtFill& known);

}  // namespace trellis::results
