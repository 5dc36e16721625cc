#pragma once
// Packing: coordinates in any order, with repetitions, into any format.
//
// Entries stay where they are: a sorted list of their numbers, 4 bytes each, is all that packing takes beside its
// result. Entries that come sorted do not need even that.

#include <optional>

#include "engine/tensor/packing.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// Repetitions are summed in the order in which they come (in f64 or i64, where the values are; booleans by `||`), and
/// the sum is converted. Of a pattern, only what is true becomes an entry.
std::optional<Tensor> pack(format::ScalarType type, const Index& shape, const format::Format& format,
                           const format::Value& fill, const Entries& entries, PackFailure& failure,
                           const PackOptions& options = {});

/// "{dense, pinpoint} has no room for element (0, 3): `pinpoint` holds one coordinate for each entry above it".
std::string region_taken_text(const PackFailure& failure, const format::Format& format,
                              std::span<const std::int64_t> index);

/// E0206: the format has no room for the entry at `index`. E0410: beyond the limit, or that of 32-bit positions. E0411:
/// memory is refused. `format`: into which the tensor's entries were to be packed.
void report_pack_failure(const PackFailure& failure, const Tensor& tensor, const format::Format& format,
                         std::span<const std::int64_t> index, text::Span span, text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
