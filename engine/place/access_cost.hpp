#pragma once
// What orders are compared by, of equations and of loops alike: how the innermost loop walks through each array.

#include <string>

#include "engine/lang/expr.hpp"

namespace trellis::place {

/// A typical size, for weighing statements of different depth; only ratios matter.
constexpr double typical_extent = 100;
/// What an outermost forall is worth when threads are few.
constexpr double shared_work = 0.75;

/// The relative time of one access in this innermost loop.
double access_cost(const lang::Access& access, const std::string& innermost);

}  // namespace trellis::place
