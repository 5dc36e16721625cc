#include "engine/tensor/number_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

namespace {

constexpr std::string_view blanks = " \t\r\f\v";

/// A field as an error message may quote it.
std::string quoted(std::string_view field) {
  constexpr std::size_t longest = 40;
  return "'" + std::string(field.substr(0, longest)) + (field.size() > longest ? "…'" : "'");
}

/// Also with the exponent of a double of Fortran's: 1.5D+03.
std::from_chars_result number_in(std::string_view field, double& number) {
  const char* const last = field.data() + field.size();
  const auto found = std::from_chars(field.data(), last, number);
  if (found.ec != std::errc() || found.ptr == last || (*found.ptr != 'd' && *found.ptr != 'D')) return found;
  std::string with_e(field);
  const auto at = static_cast<std::size_t>(found.ptr - field.data());
  with_e[at] = 'e';
  const auto again = std::from_chars(with_e.data(), with_e.data() + with_e.size(), number);
  return {field.data() + (again.ptr - with_e.data()), again.ec};
}

}  // namespace

std::string_view without_mark(std::string_view content) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (content.starts_with(mark)) content.remove_prefix(mark.size());
  return content;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

bool is_integer(std::string_view field) {
  const std::size_t digits = field.starts_with('-') ? 1 : 0;
  if (field.empty() || field == "-0" || field.find_first_not_of("0123456789", digits) != std::string_view::npos)
    return false;
  const double value = std::strtod(std::string(field).c_str(), nullptr);
  return value < 18446744073709551616.0 && value >= -9223372036854775808.0;
}

std::optional<double> number_of(std::string_view field) {
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  double number = 0;
  const auto [end, why] = number_in(field, number);
  return why == std::errc() && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

NumberReader::NumberReader(TextSource& source, char comment, const FileRequest& request, text::Diagnostics& diagnostics)
    : comment_(comment), request_(request), diagnostics_(diagnostics), source_(&source) {}

bool NumberReader::next_block() {
  if (!source_) return false;
  rest_ = source_->next();
  if (!std::exchange(begun_, true)) rest_ = without_mark(rest_);
  return !rest_.empty();
}

bool NumberReader::next_line() {
  if (rest_.empty() && !next_block()) return false;
  std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  unread_ = line_;
  ++number_;
  return true;
}

bool NumberReader::has_data() const {
  const std::size_t first = line_.find_first_not_of(blanks);
  return first != std::string_view::npos && line_[first] != comment_;
}

bool NumberReader::next_data_line() {
  while (next_line())
    if (has_data()) return true;
  return false;
}

std::string_view NumberReader::block() {
  if (rest_.empty()) next_block();
  return rest_;
}

void NumberReader::skip(std::size_t bytes, std::size_t lines) {
  rest_.remove_prefix(bytes);
  number_ += lines;
}

std::size_t NumberReader::fields() const {
  std::size_t count = 0;
  bool inside = false;
  for (char c : line_) {
    bool blank = blanks.find(c) != std::string_view::npos;
    if (!blank && !inside) ++count;
    inside = !blank;
  }
  return count;
}

std::string_view NumberReader::peek() const {
  NumberReader ahead = *this;
  return ahead.next_field();
}

std::string_view NumberReader::next_field() {
  std::size_t first = unread_.find_first_not_of(blanks);
  if (first == std::string_view::npos) return unread_ = {};
  unread_.remove_prefix(first);
  std::string_view field = unread_.substr(0, unread_.find_first_of(blanks));
  unread_.remove_prefix(field.size());
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);  // from_chars takes no plus sign
  return field;
}

bool NumberReader::read(std::int64_t& number, std::string_view meaning) {
  std::string_view field = next_field();
  if (field.empty()) return error("E0405", "the line ends before its " + std::string(meaning));
  auto [end, why] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (why == std::errc::result_out_of_range)
    return error("E0405", "the " + std::string(meaning) + " " + quoted(field) + " does not fit 64 bits");
  if (why != std::errc() || end != field.data() + field.size())
    return error("E0405", "the " + std::string(meaning) + " should be an integer, not " + quoted(field));
  return true;
}

bool NumberReader::read(std::int64_t& bits, Signs& signs, std::string_view meaning) {
  const std::string_view field = peek();
  std::uint64_t natural = 0;
  const auto [end, why] = std::from_chars(field.data(), field.data() + field.size(), natural);
  const bool is_natural = why == std::errc() && end == field.data() + field.size();
  constexpr std::uint64_t i64_values = std::uint64_t{1} << 63;
  if (is_natural && natural >= i64_values) {
    next_field();
    bits = static_cast<std::int64_t>(natural);
    signs.above_i64 = true;
  } else if (!read(bits, meaning)) {
    return false;
  }
  signs.negative = signs.negative || (!is_natural && bits < 0);
  return !(signs.above_i64 && signs.negative) ||
         error("E0405", "no integer type holds both the " + std::string(meaning) + " " + quoted(field) +
                            " and those in earlier lines");
}

bool NumberReader::read(double& number, std::string_view meaning) {
  std::string_view field = next_field();
  if (field.empty()) return error("E0405", "the line ends before its " + std::string(meaning));
  const auto [end, why] = number_in(field, number);
  if (why == std::errc::result_out_of_range) {  // too large, or so small that it rounds towards zero
    std::string text(field);
    std::ranges::replace_if(
        text, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    number = std::strtod(text.c_str(), nullptr);
    if (std::isinf(number))
      return error("E0405", "the " + std::string(meaning) + " " + quoted(field) + " overflows f64");
  } else if (why != std::errc() || end != field.data() + field.size()) {
    return error("E0405", "the " + std::string(meaning) + " should be a number, not " + quoted(field));
  }
  return true;
}

bool NumberReader::end_line() {
  std::string_view field = next_field();
  return field.empty() || error("E0405", "nothing more is expected on this line, but " + quoted(field) + " follows");
}

void make_real(Coordinates& c) {
  c.reals.reserve(c.integers.capacity());
  for (std::size_t e = 0; e < c.integers.size(); ++e) c.reals.push_back(c.value(e).as_double());
  c.integers = {};
  c.field = Coordinates::Field::real;
}

void append(Coordinates& to, Coordinates& more, std::size_t lines_before) {
  for (std::uint32_t& line : more.lines) line += static_cast<std::uint32_t>(lines_before);
  to.indices.insert(to.indices.end(), more.indices.begin(), more.indices.end());
  to.reals.insert(to.reals.end(), more.reals.begin(), more.reals.end());
  to.integers.insert(to.integers.end(), more.integers.begin(), more.integers.end());
  to.lines.insert(to.lines.end(), more.lines.begin(), more.lines.end());
  to.count += more.count;
}

bool read_value(NumberReader& lines, NumberReader::Signs& signs, std::string_view meaning, Coordinates& into) {
  using Field = Coordinates::Field;
  double real = 0;
  std::int64_t integer = 0;
  if (into.field == Field::integer && !lines.read(integer, signs, meaning)) return false;
  if (into.field == Field::real && !lines.read(real, meaning)) return false;
  if (into.field == Field::integer) into.integers.push_back(integer);
  else into.reals.push_back(real);
  into.unsigned_integers = signs.above_i64;
  into.lines.push_back(static_cast<std::uint32_t>(lines.line_number()));
  ++into.count;
  return lines.end_line() && lines.within_limit(into.count * into.entry_bytes());
}

bool NumberReader::within_limit(std::size_t bytes) {
  if ((number_ & 0xFFF) == 0 && request_.cancelled && request_.cancelled())
    return error("E0506", "reading was interrupted");
  return bytes <= request_.limit_bytes ||
         error("E0410", "the entries so far exceed " + limit_text(request_.limit_bytes));
}

bool NumberReader::error(const char* code, const std::string& message) {
  if (failed()) return false;
  diagnostics_.error(code, request_.span,
                     "\"" + request_.path + "\", line " + std::to_string(number_) + ": " + message);
  return false;
}

bool NumberReader::file_error(const char* code, const std::string& message) {
  if (failed()) return false;
  diagnostics_.error(code, request_.span, "\"" + request_.path + "\": " + message);
  return false;
}

}  // namespace trellis::tensor
