#pragma once
// From any format into any other.

#include <limits>
#include <optional>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// The element at which conversion ended, and why: a PackFailure by its index.
struct ConvertFailure {
  PackFailure why;
  Index index;
};

/// The same elements in another format. `kept` stores what the tensor stores, of a dense tensor every element, of
/// others that pad (format::pads) what differs from the fill; `dropped` only that of all; `all` whatever has a place. A
/// pattern gets what is true. Between csr and csc, counting takes O(entries + sizes); other pairs are sorted. Empty
/// when memory is refused, when an array would take more than the limit, or when a fiber would need more regions than
/// its level holds, of which `failure` says the first that is too many.
std::optional<Tensor> convert(const Tensor& tensor, const format::Format& format, ExplicitFills fills,
                              std::size_t limit_bytes = std::numeric_limits<std::size_t>::max(),
                              ConvertFailure* failure = nullptr);

/// The same values in another format. Explicit fills stay, except those of a dense tensor.
std::optional<Tensor> with_format(const Tensor& tensor, const format::Format& format);

/// Why Tensor::publish left a tensor as it was appended, and not in the format that it was reserved for: the first
/// region for which a level of that has no room. Empty where memory was refused.
std::optional<ConvertFailure> region_without_room(const Tensor& appended, const format::Format& format,
                                                  std::size_t limit_bytes = std::numeric_limits<std::size_t>::max());

/// The same elements with a place for each: the tensor itself when it is dense.
std::optional<Tensor> to_dense(const Tensor& tensor);

/// What is stored, in storage order; of a format that pads, what differs from the fill. Floating values become reals,
/// the others integers.
Coordinates to_coordinates(const Tensor& tensor, ExplicitFills fills = ExplicitFills::kept);

}  // namespace trellis::tensor
