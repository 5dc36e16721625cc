#pragma once
// What a Solver owns: isl's context and the assumptions about sizes. Shared by the sources of this folder.

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/math/differences.hpp"
#include "engine/math/isl_set.hpp"
#include "engine/math/solver.hpp"

namespace trellis::math {

struct Solver::State {
  OwnedContext context;
  std::vector<Constraint> assumptions;
  Names sizes;  ///< names in the assumptions, in order of appearance
  /// Answers so far: passes over loops come back to questions about those that no pass has changed. By a hash of the
  /// constraints, whose variables and sizes are unknowns alike.
  struct Answer {
    std::vector<Constraint> constraints;
    bool empty;
  };
  std::unordered_multimap<std::size_t, Answer> answers;

  /// Do these have no solution together, `also` among them if it is there? What was asked before is not copied.
  bool are_empty(const std::vector<Constraint>& constraints, const Constraint* also);
  bool answer(const std::vector<Constraint>& question) const;

  /// Sizes first (those of the assumptions, then other names in `constraints`), then `variables`.
  Names dimensions(const std::vector<std::string>& variables, const std::vector<Constraint>& constraints) const;
  OwnedSet set(const Names& names, std::vector<Constraint> constraints) const;
  /// The same as far as it compares two numbers at a time: what is to be asked first.
  Differences differences(const std::vector<Constraint>& constraints) const;
};

}  // namespace trellis::math
