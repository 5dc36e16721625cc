#include "engine/tensor/tns.hpp"

#include <algorithm>

#include "engine/tensor/number_reader.hpp"

namespace trellis::tensor {

namespace {

bool read_entry(NumberReader& lines, Coordinates& result) {
  for (std::int64_t& size : result.shape) {
    std::int64_t index = 0;
    if (!lines.read(index, "index")) return false;
    if (index < 1) return lines.error("E0406", "index " + std::to_string(index) + " is below 1: indices start at 1");
    size = std::max(size, index);
    result.indices.push_back(index - 1);
  }
  double value = 0;
  if (!lines.read(value, "value") || !lines.end_line()) return false;
  result.reals.push_back(value);
  ++result.count;
  return lines.within_limit(result.count * result.entry_bytes());
}

}  // namespace

std::optional<Coordinates> parse_tns(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics) {
  NumberReader lines(content, '#', request, diagnostics);
  Coordinates result;
  result.extent = Coordinates::Extent::inferred;
  std::size_t fields = 0;
  while (lines.next_data_line()) {
    if (result.count == 0) {
      fields = lines.fields();
      result.shape.assign(fields - 1, 0);
    } else if (lines.fields() != fields) {
      lines.error("E0405", "this line has " + std::to_string(lines.fields()) + " fields, the first one has " + std::to_string(fields));
      return std::nullopt;
    }
    if (!read_entry(lines, result)) return std::nullopt;
  }
  return result;
}

std::optional<Coordinates> read_tns(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_tns(*content, request, diagnostics) : std::nullopt;
}

}  // namespace trellis::tensor
