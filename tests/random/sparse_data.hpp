#pragma once
// Small integers in sparse formats.

#include <string>

#include "engine/check/reference.hpp"
#include "tests/random/generate.hpp"

namespace trellis::randomised {

/// An operand with anything between nothing and everything stored, explicit fills too, and out of order where its
/// levels allow it. A result that the kernel does not inherit is empty.
tensor::Tensor random_sparse(const lang::TensorInfo& info, const tensor::Index& shape, const lang::Kernel& kernel,
                             Dice& dice);

/// The same program with all tensors dense, and the same values: what the reference is asked about. Masks keep their
/// formats: they are about what is stored.
lang::Program without_formats(lang::Program program);
check::State without_formats(const check::State& state, const lang::Program& program);

}  // namespace trellis::randomised
