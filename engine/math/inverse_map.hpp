#pragma once
// The inverse of a map by quasi-affine forms, found by elimination:
//
//   (i, j) -> (i/4, j/2, i%4, j%2)     i = 4*a + c, j = 2*b + d     a quotient and its remainder give back the whole
//   (i, j) -> (j - i, i)               i = b, j = a + b             one unknown, once

#include <optional>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

/// Each of `variables` as a form of the map's `results`, which have a name each; empty where elimination finds no such
/// forms, though there may be some. They give back every point that the map is applied to, so that it is one-to-one.
std::optional<std::vector<Affine>> inverse_map(const std::vector<Affine>& map,
                                               const std::vector<std::string>& variables,
                                               const std::vector<std::string>& results);

}  // namespace trellis::math
