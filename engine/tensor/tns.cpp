#include "engine/tensor/tns.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/tensor/number_reader.hpp"

namespace trellis::tensor {

namespace {

using Field = Coordinates::Field;

/// Whether a value is an integer that i64 or u64 holds; a minus zero has a sign that only floating types keep.
bool is_integer(std::string_view field) {
  if (field.empty() || field == "-0" || field.find_first_not_of("0123456789", field[0] == '-' ? 1 : 0) != std::string_view::npos)
    return false;
  const double value = std::strtod(std::string(field).c_str(), nullptr);
  return value < 18446744073709551616.0 && value >= -9223372036854775808.0;
}

/// The first value that is no integer makes all of them real.
void make_real(Coordinates& result) {
  for (std::size_t e = 0; e < result.integers.size(); ++e) result.reals.push_back(result.value(e).as_double());
  result.integers.clear();
  result.field = Field::real;
}

bool read_value(NumberReader& lines, NumberReader::Signs& signs, Coordinates& result) {
  if (result.field == Field::integer && !is_integer(lines.peek())) make_real(result);
  double real = 0;
  std::int64_t integer = 0;
  if (result.field == Field::integer && !lines.read(integer, signs, "value")) return false;
  if (result.field == Field::real && !lines.read(real, "value")) return false;
  if (result.field == Field::integer) result.integers.push_back(integer);
  else result.reals.push_back(real);
  result.unsigned_integers = signs.above_i64;
  result.lines.push_back(static_cast<std::uint32_t>(lines.line_number()));
  ++result.count;
  return lines.end_line() && lines.within_limit(result.count * result.entry_bytes());
}

bool read_entry(NumberReader& lines, NumberReader::Signs& signs, Coordinates& result) {
  for (std::int64_t& size : result.shape) {
    std::int64_t index = 0;
    if (!lines.read(index, "index")) return false;
    if (index < 1) return lines.error("E0406", "index " + std::to_string(index) + " is below 1: indices start at 1");
    size = std::max(size, index);
    result.indices.push_back(index - 1);
  }
  return read_value(lines, signs, result);
}

}  // namespace

std::optional<Coordinates> parse_tns(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics) {
  NumberReader lines(content, '#', request, diagnostics);
  Coordinates result;
  NumberReader::Signs signs;
  result.field = Field::integer;
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
    if (!read_entry(lines, signs, result)) return std::nullopt;
  }
  return result;
}

std::optional<Coordinates> read_tns(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_tns(*content, request, diagnostics) : std::nullopt;
}

}  // namespace trellis::tensor
