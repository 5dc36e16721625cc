#pragma once
// Tensors for a program that was compiled, and whether two hold the same.

#include "engine/loop/interpret.hpp"
#include "tests/distribute/made.hpp"

namespace trellis::distribute::testing {

/// Values 1, 3, 6, 10, … in each dense tensor of doubles; sparse ones have no entries.
inline loop::Bindings filled(const Made& m, const Numbers& sizes) {
  loop::Bindings bindings;
  for (const auto& [name, size] : sizes)
    bindings.parameters[name] = format::Value::of_integer(format::ScalarType::i64, size);
  for (const lang::TensorInfo& info : m.program.tensors) {
    tensor::Index shape;
    for (const math::Affine& size : info.shape)
      shape.push_back(*size.evaluate([&](const std::string& name) { return std::optional(sizes.at(name)); }));
    auto tensor = tensor::Tensor::create(info.type, shape, info.format, info.fill).value();
    for (std::int64_t e = 0, value = 1; e < tensor.entries(); value += ++e + 1)
      tensor.set_flat(e, format::Value::of(info.type, static_cast<double>(value)));
    bindings.tensors.emplace(info.name, tensor);
  }
  return bindings;
}

inline bool same(const tensor::Tensor& a, const tensor::Tensor& b) {
  if (a.entries() != b.entries()) return false;
  for (std::int64_t e = 0; e < a.entries(); ++e)
    if (a.get_flat(e) != b.get_flat(e)) return false;
  return true;
}

}  // namespace trellis::distribute::testing
