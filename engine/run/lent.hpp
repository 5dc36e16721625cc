#pragma once
// Tensors as the interface for kernels has them (emit/abi/trellis_tensor.h): those of whoever has the arrays, and our
// own, which grow where they are results.

#include <limits>
#include <vector>

#include "engine/emit/abi/trellis_tensor.h"
#include "engine/emit/entry.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::run {

/// What all tensors of a type in a format have in common there: everything but sizes and arrays.
struct LentFormat {
  /// `role`: a level with a table is appended to as a plain list.
  LentFormat(format::ScalarType type, const format::Format& format, const format::Value& fill,
             emit::TensorArgument::Role role = emit::TensorArgument::Role::read);

  format::Format format;
  trellis_tensor tensor{};
  std::vector<trellis_level> levels;
  std::vector<std::int32_t> order;  ///< of the levels; none with a layout
};

/// A tensor that points to its own shape and levels. Whoever lends the arrays puts them in; `as` outlives it.
class LentTensor {
 public:
  LentTensor(const LentFormat& as, tensor::Index shape);
  LentTensor(const LentTensor&) = delete;  // the interface points into it
  LentTensor& operator=(const LentTensor&) = delete;

  trellis_tensor* get() { return &lent_; }
  trellis_level& level(std::size_t l) { return levels_[l]; }

 private:
  tensor::Index shape_;
  std::vector<trellis_level> levels_;
  trellis_tensor lent_;
};

/// One of ours, with its arrays.
class OwnLentTensor {
 public:
  /// As a result it grows until one of its arrays has `most_bytes`.
  OwnLentTensor(tensor::Tensor tensor, emit::TensorArgument::Role role,
                std::size_t most_bytes = std::numeric_limits<std::size_t>::max());
  OwnLentTensor(const OwnLentTensor&) = delete;
  OwnLentTensor& operator=(const OwnLentTensor&) = delete;

  trellis_tensor* get() { return lent_.get(); }

 private:
  static int grow(trellis_tensor* lent, std::int32_t level, std::int32_t array, std::int64_t needed);
  trellis_buffer buffer(int level, format::Array which) const;
  std::int64_t width_of(int level, format::Array which) const;

  tensor::Tensor tensor_;  ///< as it is stored, without a layout
  emit::TensorArgument::Role role_;
  std::size_t most_bytes_;
  LentFormat as_;
  LentTensor lent_;
};

}  // namespace trellis::run
