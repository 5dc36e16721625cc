#pragma once
// Sets of points that are asked many small questions: each set has a number, and restricting it by a comparison of two
// of its dimensions gives another number. Results are remembered, so asking again costs a look-up; this is what lets
// placement try thousands of loop orders over dependences that are computed once.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/solver.hpp"

namespace trellis::math {

class Relations {
 public:
  /// Number of a set.
  using Id = int;

  explicit Relations(Solver& solver);  ///< must outlive this object
  ~Relations();
  Relations(const Relations&) = delete;
  Relations& operator=(const Relations&) = delete;

  /// The union of `pieces`, which all have the same variables, under the solver's assumptions.
  Id add(const std::vector<Domain>& pieces);
  /// Those points whose variables number `left` and `right` compare as said.
  Id restrict(Id set, int left, Relation relation, int right);
  /// The points of `set` that are not in `other`. Both come from one call of `add`.
  Id without(Id set, Id other);
  bool is_empty(Id set);
  /// The points of either. Both come from one call of `add`.
  Id unite(Id set, Id other);
  /// In the order in which they are numbered.
  std::vector<std::string> variables(Id set) const;
  /// As conjunctions over the variables, whose union it is.
  std::vector<Domain> domains(Id set);
  /// The smallest sizes, then the lexicographically smallest point.
  std::optional<Assignment> smallest(Id set);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trellis::math
