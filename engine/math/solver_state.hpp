#pragma once
// What a Solver owns: isl's context and the assumptions about sizes. Shared by the sources of this folder.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/math/differences.hpp"
#include "engine/math/isl_set.hpp"
#include "engine/math/premises.hpp"
#include "engine/math/solver.hpp"

namespace trellis::math {

struct Solver::State {
  OwnedContext context;
  std::vector<Constraint> assumptions;
  Names sizes;  ///< names in the assumptions, in order of appearance
  /// What was asked so far: passes over loops come back to questions about those that no pass has changed. By a hash
  /// of the constraints, whose variables and sizes are unknowns alike.
  struct Asked {
    Premises premises;  ///< the assumptions, then the constraints
    std::optional<bool> empty = {};
    std::unordered_multimap<std::size_t, std::pair<Constraint, bool>> with = {};  ///< one constraint more, by its hash
  };
  std::unordered_multimap<std::size_t, Asked> asked;
  std::size_t answers = 0;  ///< kept there

  /// Do these have no solution together, `also` among them if it is there?
  bool are_empty(const std::vector<Constraint>& constraints, const Constraint* also);
  Asked& asked_of(const std::vector<Constraint>& constraints);
  bool answer(Premises& premises, const Constraint* also) const;
  bool answer_beyond(const Premises& premises, const Constraint& also) const;

  /// Sizes first (those of the assumptions, then other names in `constraints`), then `variables`.
  Names dimensions(const std::vector<std::string>& variables, const std::vector<Constraint>& constraints) const;
  OwnedSet set(const Names& names, std::vector<Constraint> constraints) const;
  /// The same as far as it compares two numbers at a time: what is to be asked first.
  Differences differences(const std::vector<Constraint>& constraints) const;
};

}  // namespace trellis::math
