#pragma once
// Comparisons of two numbers.

#include <cstdint>

#include "engine/math/affine.hpp"

namespace trellis::math {

/// Does `left relation right` hold?
inline bool holds(std::int64_t left, Relation relation, std::int64_t right) {
  switch (relation) {
    case Relation::less: return left < right;
    case Relation::less_equal: return left <= right;
    case Relation::equal: return left == right;
    case Relation::not_equal: return left != right;
    case Relation::greater_equal: return left >= right;
    case Relation::greater: return left > right;
  }
  return false;
}

}  // namespace trellis::math
