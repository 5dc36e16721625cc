#pragma once
// Libraries of kernels that take tensors with gaps.

#include "engine/emit/library.hpp"

namespace trellis::emit {

/// As library(), for any kernel.
Library tensor_library(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request);

}  // namespace trellis::emit
