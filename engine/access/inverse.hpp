#pragma once
// From what a level stores back to a loop's coordinate, where its index is a shifted, reversed, sliced or stretched variable
// (COITERATION rule 11):
//
//   A(i + c)         i = stored - c                  A(2*i + c)     i = (stored - c) / 2, where that divides
//   A(c - i)         i = c - stored                  A((i + c)/2)   i = 2*stored - c, and 2*stored + 1 - c
//
// A slice leaves entries out, a stretched entry is at several coordinates, and both keep their order.

#include <optional>
#include <string>
#include <utility>

#include "engine/math/affine.hpp"

namespace trellis::access {

struct Inverse {
  bool reversed = false;     ///< offset - stored, else offset + stored
  std::int64_t stride = 1;   ///< divided by this, where it divides
  std::int64_t stretch = 1;  ///< each stored coordinate times this, and those up to the next one
  math::Affine offset;       ///< without the variable

  /// The least and the greatest coordinate, times the stride, of what a dimension of that size may store.
  std::pair<math::Affine, math::Affine> range(const math::Affine& size) const;
  bool operator==(const Inverse&) const = default;
};

/// Of an index that varies with the variable; nothing where it is none of these.
std::optional<Inverse> inverse(const math::Affine& index, const std::string& variable);

}  // namespace trellis::access
