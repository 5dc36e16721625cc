#pragma once
// What orders are compared by, of equations and of loops alike: how the loops walk through each array.

#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::place {

/// A typical size, for weighing statements of different depth; only ratios matter.
constexpr double typical_extent = 100;
/// What an outermost forall is worth when threads are few.
constexpr double shared_work = 0.75;

/// The relative time of one statement in these loops, outermost first. An entry that the loops do not come to by walking
/// from level to level has to be looked up, or collected before it can be stored; where a sparse operand is walked, the
/// statement runs for few of the coordinates.
double statement_cost(const lang::Access& write, const std::vector<lang::Access>& reads, const lang::Program& program,
                      const std::vector<std::string>& loops);

}  // namespace trellis::place
