#pragma once
// Arrays as NumPy has them, computed at once: what lazy arrays must come to. Knows no fields, fills or formats.

#include <vector>

#include "engine/lazy/array.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::lazy {

struct NdArray {
  Sizes shape;
  format::ScalarType type = format::ScalarType::f64;
  std::vector<format::Value> values;  ///< the last axis fastest

  static NdArray of(const Sizes& shape, format::ScalarType type,
                    const std::function<format::Value(const tensor::Index&)>& value);
  const format::Value& at(const tensor::Index& index) const;
};

/// Operands of the types that the operator takes.
NdArray nd_map(const Operator& op, const std::vector<NdArray>& operands);
NdArray nd_cast(format::ScalarType type, const NdArray& a);
NdArray nd_broadcast(const NdArray& a, const Sizes& shape);
/// Over the axes that are true, also argmin and argmax over one.
NdArray nd_reduce(format::ReduceOp op, const NdArray& a, const std::vector<bool>& axes);
NdArray nd_permute(const NdArray& a, const std::vector<int>& order);
NdArray nd_slice(const NdArray& a, int axis, std::int64_t first, std::int64_t count, std::int64_t step);
NdArray nd_roll(const NdArray& a, int axis, std::int64_t by);
NdArray nd_pad(const NdArray& a, int axis, std::int64_t before, std::int64_t after, const format::Value& outside);
NdArray nd_concat(const NdArray& a, const NdArray& b, int axis);
NdArray nd_stack(const NdArray& a, const NdArray& b, int axis);
NdArray nd_reshape(const NdArray& a, const Sizes& shape);
NdArray nd_einsum(format::ReduceOp sum, const Operator& product, const std::string& letters,
                  const std::vector<NdArray>& operands);

}  // namespace trellis::lazy
