#include "engine/emit/helper_text.hpp"

#include <cassert>
#include <map>

#include "engine/emit/module.hpp"

namespace trellis::emit {
namespace {

using format::ScalarType;
using Texts = std::map<std::string_view, std::string>;

constexpr std::string_view heading = "//: ";

void read(std::string_view file, Texts& texts) {
  std::string* open = nullptr;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = file.find('\n', at);
    const std::string_view line = file.substr(at, end - at);
    if (line.starts_with(heading)) open = &texts[line.substr(heading.size())];
    else if (line.empty() || line.starts_with("//")) open = nullptr;
    else if (open) open->append(line).append("\n");
    at = end + 1;
  }
}

const Texts& texts() {
  static const Texts all = [] {
    Texts read_so_far;
    for (const std::string_view file : prelude_files) read(file, read_so_far);
    return read_so_far;
  }();
  return all;
}

std::string limit(const format::Value& value) {
  const std::string digits = format::to_string(value);
  if (value.type == ScalarType::i64 && value.integer < 0) return "(-9223372036854775807 - 1)";
  if (value.type == ScalarType::i32 && value.integer < 0) return "(-2147483647 - 1)";
  return format::is_signed(value.type) ? digits : digits + "u";
}

/// A power of two.
std::string bound(ScalarType type) {
  const int bits = static_cast<int>(8 * format::size_of(type)) - (format::is_signed(type) ? 1 : 0);
  if (bits == 64) return "18446744073709551616.0";
  if (bits == 63) return "9223372036854775808.0";
  return std::to_string(std::int64_t{1} << bits) + ".0";
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

namespace {

std::string without_include(std::string_view header) {
  std::string text(header);
  const std::string_view include = "#include <stdint.h>\n";
  return text.erase(text.find(include), include.size());
}

}  // namespace

std::string tensor_declarations() { return without_include(file_trellis_tensor_h); }
std::string ranks_declarations() { return without_include(file_trellis_ranks_h); }

std::string helper_text(std::string_view name) {
  const auto found = texts().find(name);
  assert(found != texts().end());
  std::string text = found->second;
  const std::pair<std::string_view, FaultKind> faults[] = {{"DIVISION_BY_ZERO", FaultKind::division_by_zero},
                                                           {"DIVISION_OVERFLOW", FaultKind::division_overflow},
                                                           {"INDEX_OUT_OF_RANGE", FaultKind::index_out_of_range},
                                                           {"RESULT_TOO_LARGE", FaultKind::result_too_large}};
  for (const auto& [word, kind] : faults) replace_all(text, word, std::to_string(static_cast<int>(kind)));
  return text;
}

std::string_view ending_of(bool wide) { return wide ? "_wide" : ""; }

std::string helper_text(std::string_view name, bool wide) {
  std::string text = helper_text(name);
  replace_all(text, "_CRD", ending_of(wide));
  replace_all(text, "CRD", wide ? "int64_t" : "int32_t");
  return text;
}

std::string helper_text(std::string_view name, ScalarType type) {
  std::string text = helper_text(name);
  replace_all(text, "_TYPE", "_" + std::string(format::name_of(type)));
  replace_all(text, "TYPE", format::c_name(type));
  if (format::is_floating(type)) return text;
  replace_all(text, "LOWEST", limit(format::lowest(type)));
  replace_all(text, "HIGHEST", limit(format::highest(type)));
  replace_all(text, "BOUND", bound(type));
  return text;
}

}  // namespace trellis::emit
