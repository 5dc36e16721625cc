#pragma once
// Packing by a layout: each entry goes where the layout has it.

#include <optional>

#include "engine/tensor/packing.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// As `pack`; of a format with a layout. Entries of several elements that share a place must agree, repetitions summed.
std::optional<Tensor> pack_by_layout(format::ScalarType type, const Index& shape, const format::Format& format,
                                     const format::Value& fill, const Entries& entries, PackFailure& failure,
                                     const PackOptions& options);

}  // namespace trellis::tensor
