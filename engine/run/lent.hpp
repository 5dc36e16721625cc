#pragma once
// A tensor of ours as the interface for kernels has it (emit/abi/trellis_tensor.h): its own arrays, which grow where it
// is a result.

#include <vector>

#include "engine/emit/abi/trellis_tensor.h"
#include "engine/emit/entry.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::run {

class LentTensor {
 public:
  LentTensor(tensor::Tensor tensor, emit::TensorArgument::Role role);
  LentTensor(const LentTensor&) = delete;  // the interface points into it
  LentTensor& operator=(const LentTensor&) = delete;

  trellis_tensor* get() { return &lent_; }

 private:
  static int grow(trellis_tensor* lent, std::int32_t level, std::int32_t array, std::int64_t needed);
  trellis_buffer buffer(int level, format::Array which) const;

  tensor::Tensor tensor_;  ///< as it is stored, without a layout
  bool appended_;
  std::vector<std::int32_t> order_;
  std::vector<trellis_level> levels_;
  tensor::Index shape_;
  trellis_tensor lent_{};
};

}  // namespace trellis::run
