#include "engine/tensor/save.hpp"
#include "engine/tensor/convert.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/idx.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/pgm.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/tensor/table.hpp"
#include "engine/tensor/tns.hpp"

namespace trellis::tensor {

namespace {

using format::Value;

constexpr int significant_digits = 17;

std::string number_text(const Value& value) {
  if (format::is_boolean(value.type)) return value.integer != 0 ? "1" : "0";
  if (!format::is_floating(value.type) || !std::isfinite(value.real)) return format::to_string(value);
  std::array<char, 32> text{};
  auto end =
      std::to_chars(text.data(), text.data() + text.size(), value.real, std::chars_format::general, significant_digits);
  return {text.data(), end.ptr};
}

std::string size_text(const Tensor& tensor, int dimension) {
  return std::to_string(dimension < tensor.rank() ? tensor.shape()[dimension] : 1);
}

/// "3 1 2.5": indices from 1, and of what is no pattern the value.
std::string entry_text(const Tensor& tensor, const Index& index, const Value& value) {
  std::string line;
  for (std::int64_t i : index) line += (line.empty() ? "" : " ") + std::to_string(i + 1);
  return line + (tensor.format().pattern ? "" : " " + number_text(value)) + "\n";
}

void write_coordinate_mtx(const Tensor& tensor, AtomicFile& file) {
  const char* field = format::is_floating(tensor.type()) ? "real" : tensor.format().pattern ? "pattern" : "integer";
  file.write(std::string("%%MatrixMarket matrix coordinate ") + field + " general\n" + size_text(tensor, 0) + " " +
             size_text(tensor, 1) + " " + std::to_string(listed_entries(tensor)) + "\n");
  for_each_listed(tensor, [&](Index index, const Value& value) {
    index.resize(2, 0);  // a vector is n x 1
    file.write(entry_text(tensor, index, value));
  });
}

void write_mtx(const Tensor& tensor, AtomicFile& file) {
  if (!tensor.dense()) return write_coordinate_mtx(tensor, file);
  auto size = [&](int dimension) { return dimension < tensor.rank() ? tensor.shape()[dimension] : 1; };
  file.write(std::string("%%MatrixMarket matrix array ") + (format::is_floating(tensor.type()) ? "real" : "integer") +
             " general\n" + size_text(tensor, 0) + " " + size_text(tensor, 1) + "\n");
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
  const auto write = [&](const Index& index, const Value& value) {
    std::string line;
    for (std::int64_t i : index) line += std::to_string(i + 1) + " ";
    file.write(line + number_text(value) + "\n");
  };
  file.write(tns_header(tensor.shape()));
  if (!tensor.dense()) return for_each_listed(tensor, write);
  for_each_index(tensor.shape(), [&](const Index& index) {
    if (const Value value = tensor.get(index); !same_value(value, tensor.fill())) write(index, value);
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

/// A row a line; a vector is a column.
void write_table(const Tensor& tensor, const std::string& kind, AtomicFile& file) {
  const auto size = [&](int dimension) { return dimension < tensor.rank() ? tensor.shape()[dimension] : 1; };
  Index index(tensor.shape().size());
  for (std::int64_t row = 0; row < size(0); ++row) {
    std::string line;
    for (std::int64_t column = 0; column < size(1); ++column) {
      if (tensor.rank() > 0) index[0] = row;
      if (tensor.rank() > 1) index[1] = column;
      if (column > 0) line += table_separator(kind);
      line += number_text(tensor.get(index));
    }
    file.write(line + "\n");
  }
}

/// The largest value that a grey image of the tensor has to hold: the type's, or 65535.
std::int64_t pgm_maximum(format::ScalarType type) {
  if (format::is_boolean(type)) return 1;
  return type == format::ScalarType::u8 ? 255 : 65535;
}

void write_pgm(const Tensor& tensor, AtomicFile& file) {
  const std::int64_t maximum = pgm_maximum(tensor.type());
  file.write(pgm_header(tensor.shape(), maximum));
  for_each_index(tensor.shape(), [&](const Index& index) {
    const auto value = static_cast<std::uint64_t>(tensor.get(index).integer);
    const std::array<char, 2> bytes{static_cast<char>(value >> 8 & 255), static_cast<char>(value & 255)};
    file.write(maximum > 255 ? std::string_view(bytes.data(), 2) : std::string_view(bytes.data() + 1, 1));
  });
}

/// Why a value is none of a grey image; empty if all are.
std::string pgm_objection(const Tensor& tensor) {
  std::string why;
  for_each_index(tensor.shape(), [&](const Index& index) {
    const std::int64_t value = tensor.get(index).integer;
    const std::int64_t maximum = pgm_maximum(tensor.type());
    if (why.empty() && (value < 0 || value > maximum))
      why = "element " + element_text(index) + ", " + format::to_string(tensor.get(index)) + ", is outside 0.." +
            std::to_string(maximum) + ", which is what a .pgm file holds";
  });
  return why;
}

/// Why the format cannot hold such tensors; empty if it can.
std::string objection(format::ScalarType type, int dimensions, const std::string& kind) {
  if (kind == ".mtx" && dimensions > 2)
    return "a .mtx file holds at most 2 dimensions, not " + std::to_string(dimensions);
  if (is_table_name(kind) && dimensions > 2)
    return "a table holds at most 2 dimensions, not " + std::to_string(dimensions);
  if (kind != ".pgm") return "";
  if (dimensions != 2) return "a .pgm file holds 2 dimensions, not " + std::to_string(dimensions);
  return format::is_floating(type) ? "a .pgm file holds integers, not " + std::string(format::name_of(type)) : "";
}

bool refuse(const std::string& why, text::Span span, text::Diagnostics& diagnostics) {
  if (!why.empty()) diagnostics.error("E0413", span, why + "; save to .tns or .npy instead");
  return !why.empty();
}

/// Refuses names that cannot be written.
bool knows(const std::string& kind, const std::string& path, text::Span span, text::Diagnostics& diagnostics) {
  if (kind == ".mtx" || kind == ".tns" || kind == ".npy" || kind == ".pgm" || is_table_name(kind)) return true;
  const bool only_read = kind == ".fa" || kind == ".fasta" || is_idx_name(path);
  diagnostics.error("E0401", span,
                    (only_read ? "FASTA and idx files are only read: \"" : "cannot tell how to write \"") + path +
                        (only_read ? "\" should end in " : "\": its name should end in ") +
                        ".mtx, .tns, .npy, .csv, .tsv, .txt, .dat or .pgm, and may end in .gz after that");
  return false;
}

}  // namespace

std::int64_t stored_fills(const Tensor& tensor, const std::string& path) {
  const std::string kind = extension(path);
  std::int64_t count = 0;
  if (!tensor.dense() && (kind == ".mtx" || kind == ".tns"))
    for_each_listed(tensor, [&](const Index&, const Value& value) { count += same_value(value, tensor.fill()); });
  return count;
}

bool can_save(format::ScalarType type, int dimensions, const std::string& path, text::Span span,
              text::Diagnostics& diagnostics) {
  const std::string kind = extension(path);
  return knows(kind, path, span, diagnostics) && !refuse(objection(type, dimensions, kind), span, diagnostics);
}

bool save(const Tensor& tensor, const std::string& path, text::Span span, text::Diagnostics& diagnostics) {
  const std::string kind = extension(path);
  if (!can_save(tensor.type(), tensor.rank(), path, span, diagnostics)) return false;
  if (kind == ".pgm" && refuse(pgm_objection(tensor), span, diagnostics)) return false;
  bool as_it_lies = kind != ".npy" || (tensor.dense() && (row_major(tensor) || column_major(tensor)));
  std::optional<Tensor> laid_out = as_it_lies ? tensor : with_format(tensor, format::Format::dense(tensor.rank()));
  if (!laid_out) {
    diagnostics.error("E0411", span, "the system refused the memory to lay the tensor out for \"" + path + "\"");
    return false;
  }
  AtomicFile file(path);
  if (kind == ".mtx") write_mtx(tensor, file);
  else if (kind == ".tns") write_tns(tensor, file);
  else if (kind == ".pgm") write_pgm(tensor, file);
  else if (is_table_name(kind)) write_table(tensor, kind, file);
  else write_npy(*laid_out, file);
  if (std::string why = file.commit(); !why.empty()) {
    diagnostics.error("E0412", span, "cannot write \"" + path + "\": " + why);
    return false;
  }
  return true;
}

}  // namespace trellis::tensor
