#pragma once
// Where an index tensor holds each of its values.

#include <optional>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// True at (v, k…) where `indices`, dense integers of 32 or 64 bits, hold v at k…, for v from 0 to size - 1: a row of
/// lists for each v, {dense, compressed…, pattern}. By counting, in O(values + size). Empty where a value is none of
/// these, or memory is refused.
std::optional<Tensor> inverse_lists(const Tensor& indices, std::int64_t size);

}  // namespace trellis::tensor
