#pragma once
// What a constraint says about one loop variable: `i - j > 2` bounds i from below by j + 3, and `i/4 == j/4` keeps j
// within 4*(i/4) <= j < 4*(i/4) + 4, whatever their signs, since quotients are rounded down.

#include <optional>
#include <string>

#include "engine/math/affine.hpp"

namespace trellis::loop {

/// The constraint holds for exactly the values low <= v < high of the variable; a missing side is unbounded.
struct Interval {
  std::optional<math::Affine> low, high;
};

/// Empty for `!=`, for a variable inside mod or at several places, and for `c*v == e` with |c| > 1, which no interval
/// describes.
std::optional<Interval> isolate(const math::Constraint& constraint, const std::string& variable);

}  // namespace trellis::loop
