#pragma once
// Tensors and what is read, as texts to compare.

#include <fstream>
#include <sstream>
#include <string>

#include "engine/tensor/load.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor::testing {

/// How many bytes a file of these tests may need.
inline constexpr std::size_t limit = 1 << 20;

/// A dense tensor of fills.
inline Tensor make(format::ScalarType type, Index shape, double fill = 0) {
  const int rank = static_cast<int>(shape.size());
  return Tensor::create(type, std::move(shape), format::Format::dense(rank), format::Value::of(type, fill)).value();
}

/// The elements in row-major order: "1 0 2.5".
inline std::string values(const Tensor& tensor) {
  std::string text;
  for_each_index(tensor.shape(),
                 [&](const Index& i) { text += (text.empty() ? "" : " ") + format::to_string(tensor.get(i)); });
  return text;
}

/// Code and message; empty where nothing is wrong.
inline std::string first_error(const text::Diagnostics& sink) {
  return sink.all().empty() ? "" : sink.all()[0].code + " " + sink.all()[0].message;
}

inline std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace trellis::tensor::testing
