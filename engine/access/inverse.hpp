#pragma once
// From what a level stores back to a loop's coordinate, where its index is a shifted, reversed, sliced or stretched
// variable (docs/design/coiteration.md#adapters):
//
//   A(i + c)         i = stored - c                  A(2*i + c)     i = (stored - c) / 2, where that divides
//   A(c - i)         i = c - stored                  A((i + c)/2)   i = 2*stored - c, and 2*stored + 1 - c
//   A(8*i + j)       i = stored / 8                  for j of a loop inside, from 0 to less than 8
//
// A slice leaves entries out, a stretched entry is at several coordinates, of a segment all entries are at one; all of
// them keep their order.

#include <optional>
#include <string>
#include <utility>

#include "engine/math/affine.hpp"

namespace trellis::access {

struct Inverse {
  bool reversed = false;     ///< offset - stored, else offset + stored
  std::int64_t stride = 1;   ///< divided by this, where it divides
  std::int64_t width = 1;    ///< so many numbers from each multiple of the stride on are of one coordinate
  std::int64_t stretch = 1;  ///< each stored coordinate times this, and those up to the next one
  math::Affine offset;       ///< without the variable

  /// Stored coordinates, from the first to the last.
  struct Stored {
    math::Affine first, last;
  };
  /// The least and the greatest coordinate, times the stride, of what is stored there.
  std::pair<math::Affine, math::Affine> range(const Stored& stored) const;
  /// What is stored at a coordinate of the loop.
  Stored at(const math::Affine& coordinate) const;
  bool operator==(const Inverse&) const = default;
};

/// Of an index that varies with the variable; nothing where it is none of these.
std::optional<Inverse> inverse(const math::Affine& index, const std::string& variable);

/// Of an index to which loops inside add something, from the least to the greatest. Nothing where two coordinates could
/// share an entry.
std::optional<Inverse> segments(const math::Affine& known, const std::string& variable, const Inverse::Stored& added);

}  // namespace trellis::access
