#pragma once
// Tensors whose elements are indices of others: `p` in `A(p(i), j)`.

#include <string>

#include "engine/lang/program.hpp"

namespace trellis::randomised {

/// Is an element of the tensor an index of another access?
bool locates(const lang::Kernel& kernel, const std::string& tensor);

}  // namespace trellis::randomised
