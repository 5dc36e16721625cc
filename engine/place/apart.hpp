#pragma once
// Two equations that define the same elements, kept apart: what one of them would have to be restricted to.
//
//   u[0](i) = a(i)                 u[t](i) = u[t-1](i) : t < 9       the second to 1 <= t
//   x(n-1) = 1                     x(i) = b(i)                       the second to i < n - 1

#include <optional>
#include <vector>

#include "engine/math/solver.hpp"

namespace trellis::place {

/// Where an equation defines elements, and which.
struct Defined {
  const math::Domain& domain;
  const std::vector<math::Affine>& index;
};

/// A constraint on `one` that leaves to `other` exactly what that defines as well, at a fixed place of one dimension.
/// `both`: the points of either that define one element, those of `one` under their names. Empty: no such constraint
/// does.
std::optional<math::Constraint> kept_apart(math::Solver& solver, const Defined& one, const Defined& other,
                                           const math::Domain& both);

}  // namespace trellis::place
