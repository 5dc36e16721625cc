#pragma once
// The same elements under other coordinates: of a matrix PAPᵀ, of a vector Px.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// The element at (i, j) moves to (to[0][i], to[1][j]): by dimension a permutation of its coordinates, or null where
/// they stay. In the same format, with all that is stored, explicit fills too. The tensor itself where all stay. Empty
/// when memory is refused, or when the format has no room for an entry where it goes.
std::optional<Tensor> renumbered(const Tensor& tensor, const std::vector<const std::vector<std::int64_t>*>& to);

}  // namespace trellis::tensor
