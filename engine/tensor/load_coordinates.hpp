#pragma once
// Entries that were read, into the tensor that they are of.

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/packing.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// Resets the tensor to its fill and stores the entries, repetitions summed. The shapes must agree (E0613), at most
/// after `squeeze_to`, and every value must fit the element type (E0409);
/// for bool, what is not 0 is true. On errors the tensor is left as it was.
/// A sparse tensor keeps every entry that there is, zeros as well; E0206 when its format has no room for one, E0410
/// beyond the limit, E0411 when memory is refused, E0506 when it was cancelled.
bool load_into(Tensor& tensor, Coordinates coordinates, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options = {});

}  // namespace trellis::tensor
