#include "engine/tensor/save.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "engine/tensor/file.hpp"
#include "engine/tensor/npy.hpp"

namespace trellis::tensor {

namespace {

using format::Value;

constexpr int significant_digits = 17;

std::string number_text(const Value& value) {
  if (format::is_boolean(value.type)) return value.integer != 0 ? "1" : "0";
  if (!format::is_floating(value.type) || !std::isfinite(value.real)) return format::to_string(value);
  std::array<char, 32> text{};
  auto end = std::to_chars(text.data(), text.data() + text.size(), value.real, std::chars_format::general, significant_digits);
  return {text.data(), end.ptr};
}

/// Equality for which a not-a-number fill is itself.
bool is_fill(const Value& value, const Value& fill) {
  return value == fill || (std::isnan(value.real) && std::isnan(fill.real));
}

void write_mtx(const Tensor& tensor, AtomicFile& file) {
  auto size = [&](int dimension) { return dimension < tensor.rank() ? tensor.shape()[dimension] : 1; };
  file.write(std::string("%%MatrixMarket matrix array ") + (format::is_floating(tensor.type()) ? "real" : "integer") +
             " general\n" + std::to_string(size(0)) + " " + std::to_string(size(1)) + "\n");
  Index index(tensor.shape().size());
  for (std::int64_t column = 0; column < size(1); ++column) {
    for (std::int64_t row = 0; row < size(0); ++row) {
      if (tensor.rank() > 0) index[0] = row;
      if (tensor.rank() > 1) index[1] = column;
      file.write(number_text(tensor.get(index)) + "\n");
    }
  }
}

void write_tns(const Tensor& tensor, AtomicFile& file) {
  for_each_index(tensor.shape(), [&](const Index& index) {
    Value value = tensor.get(index);
    if (is_fill(value, tensor.fill())) return;
    std::string line;
    for (std::int64_t i : index) line += std::to_string(i + 1) + " ";
    file.write(line + number_text(value) + "\n");
  });
}

bool row_major(const Tensor& tensor) {
  return std::is_sorted(tensor.format().order.begin(), tensor.format().order.end());
}

bool column_major(const Tensor& tensor) {
  return std::is_sorted(tensor.format().order.rbegin(), tensor.format().order.rend());
}

void write_npy(const Tensor& tensor, AtomicFile& file) {
  file.write(npy_header(tensor.type(), tensor.shape(), !row_major(tensor)));
  std::size_t bytes = static_cast<std::size_t>(tensor.count()) * format::size_of(tensor.type());
  constexpr std::size_t block = 1u << 20;
  std::string_view data(static_cast<const char*>(tensor.data()), bytes);
  for (; !data.empty(); data.remove_prefix(std::min(block, data.size()))) file.write(data.substr(0, block));
}

}  // namespace

bool save(const Tensor& tensor, const std::string& path, text::Span span, text::Diagnostics& diagnostics) {
  std::string kind = path.ends_with(".gz") ? "" : extension(path);
  if (kind != ".mtx" && kind != ".tns" && kind != ".npy") {
    diagnostics.error("E0401", span, "cannot tell how to write \"" + path + "\": its name should end in .mtx, .tns or .npy");
    return false;
  }
  if (kind == ".mtx" && tensor.rank() > 2) {
    diagnostics.error("E0413", span, "a .mtx file holds at most 2 dimensions, not " + std::to_string(tensor.rank()) +
                                         "; save to .tns or .npy instead");
    return false;
  }
  bool as_it_lies = kind != ".npy" || row_major(tensor) || column_major(tensor);
  std::optional<Tensor> laid_out = as_it_lies ? tensor : tensor.with_format(format::Format::dense(tensor.rank()));
  if (!laid_out) {
    diagnostics.error("E0411", span, "the system refused the memory to lay the tensor out for \"" + path + "\"");
    return false;
  }
  AtomicFile file(path);
  if (kind == ".mtx") write_mtx(tensor, file);
  else if (kind == ".tns") write_tns(tensor, file);
  else write_npy(*laid_out, file);
  if (std::string why = file.commit(); !why.empty()) {
    diagnostics.error("E0412", span, "cannot write \"" + path + "\": " + why);
    return false;
  }
  return true;
}

}  // namespace trellis::tensor
