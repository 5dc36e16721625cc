#pragma once
// Which of the legal orders the compiler takes where the user gives none: before anything has a size, and in
// microseconds an order. How long an order takes is cost/'s to estimate, from the control flow that it becomes.

#include <set>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::place {

/// A typical size, for weighing statements of different depth; only ratios matter.
constexpr double typical_extent = 100;
/// What an outermost forall is worth when threads are few.
constexpr double shared_work = 0.75;

/// How much speaks against one statement in these loops, outermost first. An entry that the loops do not come to by
/// walking from level to level has to be looked up, or collected before it can be stored; where a sparse operand is
/// walked, the statement runs for few of the coordinates.
double statement_weight(const lang::Access& write, const std::vector<lang::Access>& reads, const lang::Program& program,
                        const std::vector<std::string>& loops, const std::set<std::string>& masked = {});

}  // namespace trellis::place
