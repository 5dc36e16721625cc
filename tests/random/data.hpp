#pragma once
// Small-integer data for a program, and comparison of results by `==`: as long as every value stays a small integer,
// every evaluator must give the very same number, whatever its order of summation.

#include <map>
#include <optional>
#include <string>

#include "engine/check/reference.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/instances.hpp"

namespace trellis::randomised {

/// Every tensor of the program at these sizes; what locates others holds indices below its own size. Sparse operands
/// store what is not their fill, and at times that; `sparse_data.hpp` has more. What a kernel does not inherit and
/// stores in a sparse format is empty.
check::State random_state(const lang::Program& program, const Sizes& sizes, Dice& dice);

/// Own memory for every tensor.
check::State clone(const check::State& state);

/// Empty when equal (not-a-numbers too); else the first element that differs.
std::string difference(const std::map<std::string, tensor::Tensor>& expected,
                       const std::map<std::string, tensor::Tensor>& got);

/// Could rounding have played a part? True when a floating result is far from exact integers' range.
bool is_rounded(const std::map<std::string, tensor::Tensor>& results);

}  // namespace trellis::randomised
