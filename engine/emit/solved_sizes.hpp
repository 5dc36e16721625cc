#pragma once
// Sizes out of shapes: n of A(n, 2*m + 1) is its first extent, and m half of what the second one has above 1.
// (docs/design/shapes.md)

#include <cstddef>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::emit {

/// `size` = (extent of the tensor's dimension - rest) / coefficient.
struct SolvedSize {
  std::string size;
  std::size_t tensor = 0, dimension = 0;
  math::Affine rest;  ///< over sizes solved before
  std::int64_t coefficient = 1;
};

struct SolvedSizes {
  std::vector<SolvedSize> solved;  ///< each after those that it needs
  std::vector<std::string> given;  ///< wanted, or in a shape, and told by none
};

/// Of what the shapes mention and of `wanted`, which comes first among those given.
SolvedSizes solve_sizes(const std::vector<std::vector<math::Affine>>& shapes, const std::vector<std::string>& wanted);

}  // namespace trellis::emit
