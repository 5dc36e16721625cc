#pragma once
// How far from the diagonal a matrix has elements.
//
//   A(0,0), A(2,1) and A(0,3)     below: 1, above: 3

#include <cstdint>

#include "engine/tensor/tensor.hpp"

namespace trellis::view {

struct Bandwidth {
  std::int64_t below = 0, above = 0;  ///< diagonals on either side, up to the last one that has an element
  bool operator==(const Bandwidth&) const = default;
};

/// `matrix` has two dimensions. Of a dense one the elements count that differ from its fill, else those that are
/// listed.
Bandwidth bandwidth_of(const tensor::Tensor& matrix);

}  // namespace trellis::view
