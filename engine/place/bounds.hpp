#pragma once
// What single constraints say about one variable: `low <= v` and `v < high`, with the other names on the far side.
// Loop bounds, shapes of temporaries and extents of names are read off them.

#include <functional>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::place {

struct Bounds {
  std::vector<math::Affine> lows;   ///< inclusive; all of them hold
  std::vector<math::Affine> highs;  ///< exclusive; all of them hold
};

/// Bounds of `variable` from those constraints whose other names are all `allowed`, in their order, each once.
Bounds bounds_of(const std::string& variable, const std::vector<math::Constraint>& constraints,
                 const std::function<bool(const std::string&)>& allowed);

math::Constraint at_least(const std::string& variable, const math::Affine& low);
math::Constraint below(const std::string& variable, const math::Affine& high);

}  // namespace trellis::place
