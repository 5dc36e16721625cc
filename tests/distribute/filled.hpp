#pragma once
// Tensors for a program that was compiled, and whether two hold the same.

#include <cstring>

#include "engine/format/level.hpp"
#include "engine/loop/interpret.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/distribute/made.hpp"

namespace trellis::distribute::testing {

/// How many values are stored: of a run there is one, however many elements have it.
inline std::int64_t stored_values(const tensor::Tensor& t) {
  return static_cast<std::int64_t>(t.array_bytes(-1, format::Array::values) / format::size_of(t.type()));
}

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
    for (std::int64_t e = 0, value = 1; e < stored_values(tensor); value += ++e + 1)
      tensor.set_flat(e, format::Value::of(info.type, static_cast<double>(value)));
    bindings.tensors.emplace(info.name, tensor);
  }
  return bindings;
}

inline bool same(const tensor::Tensor& a, const tensor::Tensor& b) {
  if (stored_values(a) != stored_values(b)) return false;
  for (std::int64_t e = 0; e < stored_values(a); ++e)
    if (a.get_flat(e) != b.get_flat(e)) return false;
  return true;
}

/// Positions, coordinates and all else that says where elements are stored.
inline bool same_levels(const tensor::Tensor& a, const tensor::Tensor& b) {
  for (int level = 0; level < a.levels(); ++level)
    for (const format::Array which : format::level_arrays) {
      const std::size_t bytes = a.array_bytes(level, which);
      if (bytes != b.array_bytes(level, which)) return false;
      if (bytes > 0 && std::memcmp(a.array(level, which), b.array(level, which), bytes) != 0) return false;
    }
  return true;
}

/// Of operands in sparse formats as many elements as one in `each`, the others at the fill.
inline void scatter(const Made& m, loop::Bindings& bindings, std::int64_t each) {
  std::int64_t drawn = 1;
  for (const std::string& name : m.compilation->kernel.operands()) {
    tensor::Tensor& held = bindings.tensors.at(name);
    if (held.dense()) continue;
    auto dense = tensor::Tensor::create(held.type(), held.shape(), format::Format::dense(held.rank()), held.fill());
    for (std::int64_t e = 0; e < dense->count(); ++e) {
      drawn = (drawn * 1103515245 + 12345) % 2147483648;
      if (drawn / 65536 % each == 0) dense->set_flat(e, format::Value::of(held.type(), static_cast<double>(e % 7 + 1)));
    }
    held = *tensor::convert(*dense, held.format(), tensor::ExplicitFills::dropped);
  }
}

}  // namespace trellis::distribute::testing
