#pragma once
// A matrix's pattern out of the list of each row, or of each column.

#include <optional>

#include "engine/tensor/fill_in.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// `lists[k]`: what row k stores, sorted, or with `by_columns` what column k does. Empty when memory is refused.
std::optional<Tensor> pattern_from(const Lists& lists, bool by_columns, const Index& shape,
                                   const format::Format& format);

}  // namespace trellis::tensor
