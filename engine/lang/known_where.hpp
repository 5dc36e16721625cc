#pragma once
// What a condition says about indices: the affine part of it, as constraints that all hold. What is not affine says
// nothing.

#include <vector>

#include "engine/lang/expr.hpp"

namespace trellis::lang {

math::Constraint negated(const math::Constraint& constraint);

/// Where it holds: `i < j && a(i) > 0` says i < j, `!(i == 0 || i == n)` says i != 0 and i != n.
std::vector<math::Constraint> known_where(const Expr& condition);
/// Where it does not: `i == 0 || i == n` says i != 0 and i != n, `i < j && i < k` nothing.
std::vector<math::Constraint> known_where_not(const Expr& condition);

}  // namespace trellis::lang
