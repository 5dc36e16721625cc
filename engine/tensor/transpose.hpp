#pragma once
// csr to csc and back, and their like: the rows' entries are counted into the columns, in one pass each.

#include <optional>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// Whether `transpose` does it: a matrix by rows, each of them a list, into a dense level over lists by columns.
bool transposes(const Tensor& tensor, const format::Format& format);

/// O(entries + sizes). Empty when memory is refused.
std::optional<Tensor> transpose(const Tensor& tensor, const format::Format& format);

}  // namespace trellis::tensor
