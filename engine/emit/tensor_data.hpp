#pragma once
// Tensors as C that defines them: what the example of an exported kernel calls it with.
//
//   static const int64_t A_shape[] = {2, 3};
//   static int32_t A_positions_1[] = {0, 2, 2}; …
//   static trellis_tensor A = {TRELLIS_ABI, …};

#include <string>

#include "engine/emit/entry.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::emit {

struct DefinedTensor {
  std::string name;  ///< in C
  tensor::Tensor tensor;
  TensorArgument::Role role = TensorArgument::Role::read;
  bool empty = false;  ///< of its shape and format alone: no arrays, which `grow` makes
};

/// Definitions at file scope.
std::string definition(const DefinedTensor& defined);

}  // namespace trellis::emit
