#pragma once
// What a Solver owns: isl's context and the assumptions about sizes. Shared by the sources of this folder.

#include <set>
#include <string>
#include <unordered_map>

#include "engine/math/differences.hpp"
#include "engine/math/isl_set.hpp"
#include "engine/math/solver.hpp"

namespace trellis::math {

struct Solver::State {
  OwnedContext context;
  std::vector<Constraint> assumptions;
  Names sizes;  ///< names in the assumptions, in order of appearance
  /// isl's answers so far, by the question: passes over loops come back to those that no pass has changed.
  std::unordered_map<std::string, bool> empty;

  /// Sizes first (those of the assumptions, then other names in `constraints`), then `variables`.
  Names dimensions(const std::vector<std::string>& variables, const std::vector<Constraint>& constraints) const;
  OwnedSet set(const Names& names, std::vector<Constraint> constraints) const;
  /// The same as far as it compares two numbers at a time: what is to be asked first.
  Differences differences(const std::vector<Constraint>& constraints) const;
};

}  // namespace trellis::math
