#pragma once
// A matrix's pattern out of the list of each row, or of each column.

#include <functional>
#include <optional>
#include <vector>

#include "engine/tensor/fill_in.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// `lists[k]`: what row k stores, sorted, or with `by_columns` what column k does. Empty when memory is refused.
std::optional<Tensor> pattern_from(const Lists& lists, bool by_columns, const Index& shape,
                                   const format::Format& format);

/// The same of lists whose begins are these, with the end of the last, where `write` puts their items.
std::optional<Tensor> pattern_from(const std::vector<std::int64_t>& begin,
                                   const std::function<void(std::int32_t*)>& write, bool by_columns, const Index& shape,
                                   const format::Format& format);

/// One that is true at these coordinates, which rise, of one dimension. Empty when memory is refused.
std::optional<Tensor> pattern_from(const std::vector<std::int32_t>& coordinates, std::int64_t size,
                                   const format::Format& format);

/// The list of each fiber of a matrix in {dense, compressed}; empty in any other format.
std::optional<Lists> lists_of(const Tensor& pattern);

}  // namespace trellis::tensor
