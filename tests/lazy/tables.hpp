#pragma once
// Operands for tests: tables with data, in any format.

#include <string>
#include <vector>

#include "engine/lazy/evaluate.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/lazy/dense.hpp"

namespace trellis::lazy {

/// `rows[c]` at the coordinates c, the last dimension fastest; what equals the fill is not stored.
inline tensor::Tensor tensor_of(format::ScalarType type, const tensor::Index& shape, const std::vector<double>& values,
                                const std::string& format = "dense", double fill = 0) {
  const format::Value background = format::Value::of(type, fill);
  const int rank = static_cast<int>(shape.size());
  auto dense = tensor::Tensor::create(type, shape, format::Format::dense(rank), background).value();
  std::size_t place = 0;
  tensor::for_each_index(
      shape, [&](const tensor::Index& index) { dense.set(index, format::Value::of(type, values.at(place++))); });
  return tensor::with_format(dense, format::Format::named(format, rank).value()).value();
}

inline Expr table_of(const std::string& name, const tensor::Tensor& tensor, const std::vector<Field>& fields) {
  return table(name, tensor.type(), tensor.fill(), fields);
}

/// The plan on the engine; what goes wrong is said, and the result is empty then.
inline Tensors run_plan(const Plan& plan, const Tensors& operands, std::string& wrong) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  run::Limits limits;
  limits.trusted = true;
  const auto compiled = compile(plan, formats_of(operands), run::Backend::jit, sources, diagnostics);
  auto results = compiled ? evaluate(*compiled, operands, limits, diagnostics) : std::nullopt;
  for (const text::Diagnostic& d : diagnostics.all())
    if (d.severity == text::Severity::error) wrong += text::render(d, sources, text::Colour::off);
  if (!results && wrong.empty()) wrong = "failed without a word";
  return results.value_or(Tensors());
}

/// Where the tensor is not what the array says, or "".
inline std::string difference(const DenseArray& expected, const tensor::Tensor& got) {
  std::string found;
  for_each_point(expected.fields, [&](const At& at) {
    tensor::Index index;
    for (const Field& field : expected.fields) index.push_back(at.at(field));
    const format::Value value = got.get(index), wanted = element(expected, at);
    if (!found.empty() || alike(value, wanted)) return;
    found = text::element_text("", index) + " is " + format::to_string(value) + ", not " + format::to_string(wanted);
  });
  return found;
}

}  // namespace trellis::lazy
