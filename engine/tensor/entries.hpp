#pragma once
// What a tensor stores, as a pattern.

#include <optional>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// True where the tensor stores an element, whatever its value. In its own layout the pattern shares its arrays, which
/// nobody may change. `format` is a pattern's. Empty when memory is refused.
std::optional<Tensor> entries_of(const Tensor& tensor, const format::Format& format);

/// Do both list the same coordinates in the same layout?
bool same_entries(const Tensor& a, const Tensor& b);

}  // namespace trellis::tensor
