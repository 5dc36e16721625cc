#pragma once
// Small integers in sparse formats, and a look at what kernels leave in them.

#include <string>

#include "engine/check/reference.hpp"
#include "tests/random/generate.hpp"

namespace trellis::randomised {

/// An operand with anything between nothing and everything stored, explicit fills too; where its innermost level allows it,
/// with repetitions and out of order. A result that the kernel does not inherit is empty.
tensor::Tensor random_sparse(const lang::TensorInfo& info, const tensor::Index& shape, const lang::Kernel& kernel, Dice& dice);

/// The same program with all tensors dense, and the same values: what the reference is asked about.
lang::Program without_formats(lang::Program program);
check::State without_formats(const check::State& state);

/// What is wrong with the arrays of a tensor's levels: positions that fall, coordinates out of range, out of order or twice.
/// Empty when nothing is.
std::string disorder(const tensor::Tensor& tensor);

}  // namespace trellis::randomised
