#include "engine/tensor/number_reader.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "engine/tensor/allocate.hpp"

namespace trellis::tensor {

namespace {

constexpr std::string_view blanks = " \t\r\f\v";

/// A field as an error message may quote it.
std::string quoted(std::string_view field) {
  constexpr std::size_t longest = 40;
  return "'" + std::string(field.substr(0, longest)) + (field.size() > longest ? "…'" : "'");
}

}  // namespace

bool NumberReader::next_line() {
  if (rest_.empty()) return false;
  std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  unread_ = line_;
  ++number_;
  return true;
}

bool NumberReader::next_data_line() {
  while (next_line()) {
    std::size_t first = line_.find_first_not_of(blanks);
    if (first != std::string_view::npos && line_[first] != comment_) return true;
  }
  return false;
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
         error("E0405", "no integer type holds both the " + std::string(meaning) + " " + quoted(field) + " and those in earlier lines");
}

bool NumberReader::read(double& number, std::string_view meaning) {
  std::string_view field = next_field();
  if (field.empty()) return error("E0405", "the line ends before its " + std::string(meaning));
  auto [end, why] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (why == std::errc::result_out_of_range) {  // too large, or so small that it rounds towards zero
    number = std::strtod(std::string(field).c_str(), nullptr);
    if (std::isinf(number)) return error("E0405", "the " + std::string(meaning) + " " + quoted(field) + " overflows f64");
  } else if (why != std::errc() || end != field.data() + field.size()) {
    return error("E0405", "the " + std::string(meaning) + " should be a number, not " + quoted(field));
  }
  return true;
}

bool NumberReader::end_line() {
  std::string_view field = next_field();
  return field.empty() || error("E0405", "nothing more is expected on this line, but " + quoted(field) + " follows");
}

bool NumberReader::within_limit(std::size_t bytes) {
  if ((number_ & 0xFFF) == 0 && request_.cancelled && request_.cancelled()) return error("E0506", "reading was interrupted");
  return bytes <= request_.limit_bytes ||
         error("E0410", "the entries so far exceed the memory limit of " + human_bytes(request_.limit_bytes));
}

bool NumberReader::error(const char* code, const std::string& message) {
  diagnostics_.error(code, request_.span, "\"" + request_.path + "\", line " + std::to_string(number_) + ": " + message);
  return false;
}

bool NumberReader::file_error(const char* code, const std::string& message) {
  diagnostics_.error(code, request_.span, "\"" + request_.path + "\": " + message);
  return false;
}

}  // namespace trellis::tensor
