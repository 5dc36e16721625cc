#pragma once
// The range of a loop over several statements: the simplest hull of what each of them needs there, given what the loops
// around already say. Statements keep the rest of their domains as guards.

#include <string>
#include <vector>

#include "engine/lang/expr.hpp"
#include "engine/math/solver.hpp"

namespace trellis::place {

/// `low <= v < high` for all of `lows` and `highs`, and the same as expressions for a `For`.
struct Range {
  std::vector<math::Affine> lows, highs;
  lang::Expr low, high;
  /// What the statements inside may take for granted.
  std::vector<math::Constraint> known(const std::string& variable) const;
};

/// `members` are the statements' domains over loop names; `around` says what holds at the loop, over the loops outside
/// it.
Range range_of(math::Solver& solver, const std::string& variable, const std::vector<math::Domain>& members,
               const math::Domain& around);

/// The constraints of `domain` that `around` does not give.
std::vector<math::Constraint> guards_of(math::Solver& solver, const math::Domain& domain, const math::Domain& around);

}  // namespace trellis::place
