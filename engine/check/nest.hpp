#pragma once
// A domain as nested ranges: for each variable, bounds in what is known before it, and conditions that are left to
// test. Parameters have been replaced by their values. Bounds that only a later variable implies are derived
// (Fourier-Motzkin), so they may be loose; the conditions make the enumeration exact.

#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::check {

/// `form / divisor`, rounded up as a lower bound and down as an upper one.
struct Bound {
  math::Affine form;
  std::int64_t divisor = 1;
};

struct Level {
  std::string variable;
  std::vector<Bound> lower, upper;
  std::vector<math::Constraint> conditions;  ///< to be tested once this variable has a value
};

struct Nest {
  std::vector<math::Constraint> conditions;  ///< that name none of the variables
  std::vector<Level> levels;                 ///< in the domain's order
};

using Values = std::map<std::string, math::Affine>;

Nest nest_of(const math::Domain& domain, const Values& parameters);

}  // namespace trellis::check
