#include "engine/format/scalar.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace trellis::format {

namespace {

struct TypeFact {
  std::string_view name, c_name;
  std::size_t size;
};
constexpr std::array<TypeFact, 9> type_facts{{{"f64", "double", 8},
                                              {"f32", "float", 4},
                                              {"i64", "int64_t", 8},
                                              {"i32", "int32_t", 4},
                                              {"i16", "int16_t", 2},
                                              {"u64", "uint64_t", 8},
                                              {"u32", "uint32_t", 4},
                                              {"u8", "uint8_t", 1},
                                              {"bool", "uint8_t", 1}}};

const TypeFact& fact(ScalarType type) { return type_facts[static_cast<std::size_t>(type)]; }

/// Calls `use` with a zero of the C++ type; bool arrives as `bool`.
template <class Use>
auto with_type(ScalarType type, Use&& use) {
  switch (type) {
    case ScalarType::f64: return use(double{});
    case ScalarType::f32: return use(float{});
    case ScalarType::i64: return use(std::int64_t{});
    case ScalarType::i32: return use(std::int32_t{});
    case ScalarType::i16: return use(std::int16_t{});
    case ScalarType::u64: return use(std::uint64_t{});
    case ScalarType::u32: return use(std::uint32_t{});
    case ScalarType::u8: return use(std::uint8_t{});
    case ScalarType::boolean: break;
  }
  return use(bool{});
}

template <class T>
T saturate(double number) {
  if (std::isnan(number)) return 0;
  // 2^bits is exact in a double where the largest integer may not be, so it is the bound to compare with.
  const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (number >= above) return std::numeric_limits<T>::max();
  if (number <= static_cast<double>(std::numeric_limits<T>::lowest())) return std::numeric_limits<T>::lowest();
  return static_cast<T>(number);
}

std::string print(double number, ScalarType type) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  double magnitude = std::fabs(number);
  bool plain = magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e17);
  auto style = plain ? std::chars_format::fixed : std::chars_format::scientific;
  std::array<char, 64> buffer{};
  auto end = type == ScalarType::f32
                 ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(number), style)
                 : std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, style);
  return {buffer.data(), end.ptr};
}

}  // namespace

std::string_view name_of(ScalarType type) { return fact(type).name; }
std::size_t size_of(ScalarType type) { return fact(type).size; }
std::string_view c_name(ScalarType type) { return fact(type).c_name; }

std::optional<ScalarType> scalar_type(std::string_view name) {
  for (std::size_t i = 0; i < type_facts.size(); ++i)
    if (type_facts[i].name == name) return static_cast<ScalarType>(i);
  return std::nullopt;
}

Value Value::of(ScalarType type, double number) {
  return with_type(type, [&]<class T>(T) -> Value {
    if constexpr (std::is_same_v<T, bool>) return truth(number != 0);
    else if constexpr (std::is_floating_point_v<T>) return {type, static_cast<T>(number), 0};
    else return {type, 0, static_cast<std::int64_t>(saturate<T>(number))};
  });
}

Value Value::of_integer(ScalarType type, std::int64_t number) {
  return with_type(type, [&]<class T>(T) -> Value {
    if constexpr (std::is_same_v<T, bool>) return truth(number != 0);
    else if constexpr (std::is_floating_point_v<T>) return {type, static_cast<T>(number), 0};
    else return {type, 0, static_cast<std::int64_t>(static_cast<T>(number))};
  });
}

double Value::as_double() const {
  if (is_floating(type)) return real;
  return type == ScalarType::u64 ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                 : static_cast<double>(integer);
}

std::int64_t Value::as_integer() const { return is_floating(type) ? saturate<std::int64_t>(real) : integer; }

Value cast(ScalarType type, const Value& value) {
  if (is_floating(value.type)) return Value::of(type, value.real);
  // Directly from 64 bits to f32: by way of f64 it would round twice.
  if (value.type == ScalarType::u64 && is_floating(type)) {
    auto bits = static_cast<std::uint64_t>(value.integer);
    return {type, type == ScalarType::f32 ? static_cast<float>(bits) : static_cast<double>(bits), 0};
  }
  return Value::of_integer(type, value.integer);
}

std::string to_string(const Value& value) {
  if (is_floating(value.type)) return print(value.real, value.type);
  if (is_boolean(value.type)) return value.integer != 0 ? "true" : "false";
  if (value.type == ScalarType::u64) return std::to_string(static_cast<std::uint64_t>(value.integer));
  return std::to_string(value.integer);
}

namespace {

std::optional<Value> parse_real(ScalarType type, std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Value::of(type, number);
}

std::optional<Value> parse_integer(ScalarType type, std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  std::uint64_t largest = static_cast<std::uint64_t>(highest(type).integer);
  std::uint64_t limit = negative ? (is_signed(type) ? largest + 1 : 0) : largest;
  if (magnitude > limit) return std::nullopt;
  return Value{type, 0, static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)};
}

}  // namespace

std::optional<Value> parse_value(ScalarType type, std::string_view text) {
  if (is_boolean(type) && (text == "true" || text == "false")) return Value::truth(text == "true");
  if (!is_floating(type)) return parse_integer(type, text);
  if (text.find_first_of("xX") == std::string_view::npos) return parse_real(type, text);
  auto integer = parse_integer(ScalarType::i64, text);
  return integer ? std::optional(cast(type, *integer)) : std::nullopt;
}

Value lowest(ScalarType type) {
  return with_type(type, [&]<class T>(T) -> Value {
    if constexpr (std::is_floating_point_v<T>) return {type, -std::numeric_limits<T>::infinity(), 0};
    else return {type, 0, static_cast<std::int64_t>(std::numeric_limits<T>::lowest())};
  });
}

Value highest(ScalarType type) {
  return with_type(type, [&]<class T>(T) -> Value {
    if constexpr (std::is_floating_point_v<T>) return {type, std::numeric_limits<T>::infinity(), 0};
    else return {type, 0, static_cast<std::int64_t>(std::numeric_limits<T>::max())};
  });
}

}  // namespace trellis::format
