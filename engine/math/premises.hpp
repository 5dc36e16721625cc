#pragma once
// Constraints from which others are to follow. Most questions about loops are asked many times over of one place, each
// with another constraint: what this place knows is solved once, and each question begins there.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/math/differences.hpp"
#include "engine/math/simplex.hpp"
#include "engine/math/system.hpp"

namespace trellis::math {

class Premises {
 public:
  /// `names` are those of the constraints.
  Premises(Names names, std::vector<Constraint> constraints);

  const Names& names() const { return names_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  /// Are all names of the constraint among theirs?
  bool are_about_names_of(const Constraint& constraint) const;
  /// Have they no solution together, `also` among them if it is there, which they are about? By the quickest that
  /// tells; nothing where only a general solver does.
  std::optional<bool> are_contradictory(const Constraint* also);

 private:
  /// One way of resolving all `!=`: its rows, solved, and what has columns behind those of names.
  struct Way {
    std::vector<std::pair<Affine, std::int64_t>> divided;
    Simplex rows;
  };
  void solve();
  std::optional<bool> have_no_solution(const Constraint& also) const;

  Names names_;
  std::vector<Constraint> constraints_;
  Differences differences_;
  std::optional<std::vector<Way>> ways_;  ///< once differences did not tell
};

}  // namespace trellis::math
