#pragma once
// Making tensors for users: sizes are checked against a memory limit before any memory is asked for.

#include <cstddef>
#include <optional>
#include <string>

#include "engine/tensor/human_bytes.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

struct AllocationRequest {
  std::string name;  ///< of the tensor, or of the file that it comes from
  text::Span span;
  std::size_t limit_bytes;
};

/// As Tensor::create. E0410: more than the limit, with both numbers, or than a level's 32-bit coordinates
/// count. E0411: the system refused.
std::optional<Tensor> allocate(format::ScalarType type, const Index& shape, const format::Format& format,
                               const format::Value& fill, const AllocationRequest& request,
                               text::Diagnostics& diagnostics);

/// Of a dense result beside operands of which some are sparse, what both take: worth a word beyond 16 times the
/// operands' and 1 MiB, and not to be made unasked beyond 64 MiB.
enum class Density { fair, large, far_larger };
Density density_of(std::size_t bytes, std::size_t operands);

/// "3 x 4"; "scalar" for rank 0.
std::string shape_text(const Index& shape);

}  // namespace trellis::tensor
