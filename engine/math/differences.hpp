#pragma once
// Conjunctions that compare two integers at a time, x - y <= c: most of what placement and storage ask. Such a system
// has a solution in integers exactly when no circle of its comparisons adds up to less than nothing, which is found
// by shortest paths (Bellman and Ford) in a hundredth of the time of a general solver.
//
//   k < j, j < i, i <= k        k - j <= -1, j - i <= -1, i - k <= 0: round the circle -2, so there are none

#include <optional>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

class Differences {
 public:
  /// Also holds. What is no comparison of two names, or of one with a number, is left out.
  void require(const Constraint& constraint);
  /// Is there no solution? Nothing where that depends on what was left out.
  std::optional<bool> is_empty() const;

 private:
  /// `unknown - other <= bound`; number 0 is zero itself.
  struct Bound {
    int unknown, other;
    std::int64_t bound;
  };
  using Bounds = std::vector<Bound>;
  struct Form;
  std::optional<Form> form(const Affine& left, const Affine& right);
  int number_of(const std::string& name);
  bool is_contradictory(const Bounds& bounds) const;

  std::vector<std::string> names_;           ///< of the numbers from 1
  std::vector<Bounds> alternatives_ = {{}};  ///< one of which holds: each `!=` doubles them
  bool exact_ = true;                        ///< nothing was left out
};

}  // namespace trellis::math
