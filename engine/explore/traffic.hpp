#pragma once
// What a loop nest costs at given sizes, estimated: instructions, and cache lines that have to come from further away.
// `suggest` compares schedules with it; only ratios mean anything.

#include <cstddef>

#include "engine/explore/evaluate.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::explore {

struct Machine {
  std::size_t cache = 0;  ///< bytes that a core keeps close
  int threads = 1;        ///< that a parallel loop runs on
  /// This one.
  static Machine present();
};

/// For every assignment: its iterations, and for each access the lines that one execution of the largest subnest whose
/// data fits into the cache touches, as often as that subnest is executed. A loop that is left at an unknown time counts once.
double estimate_traffic(const loop::Stmt& loops, const lang::Program& program, const Names& sizes, const Machine& machine);

/// How an access moves with a loop's variable.
enum class Walk { invariant, contiguous, strided };
Walk walk_of(const lang::Access& access, const std::string& variable, const lang::Program& program);

}  // namespace trellis::explore
