// Literals: the value of a token, in the type that its place needs.

#include <cmath>
#include <cstdlib>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using format::Value;

NumberValue number_value(const std::string& spelling) {
  NumberValue value;
  if (const auto constant = constant_called(spelling)) {
    value.integral = false;
    value.real = *constant;
    return value;
  }
  const bool hexadecimal = spelling.size() > 2 && spelling[0] == '0' && (spelling[1] == 'x' || spelling[1] == 'X');
  value.integral = hexadecimal || spelling.find_first_of(".eE") == std::string::npos;
  value.real = std::strtod(spelling.c_str(), nullptr);
  if (!value.integral) return value;
  const std::uint64_t base = hexadecimal ? 16 : 10;
  for (std::size_t i = hexadecimal ? 2 : 0; i < spelling.size(); ++i) {
    const char c = spelling[i];
    const auto digit = static_cast<std::uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (value.magnitude > (UINT64_MAX - digit) / base) value.overflow = true;
    value.magnitude = value.magnitude * base + digit;
  }
  return value;
}

namespace {

enum class Sign { plus, minus };

/// Does `magnitude` with its sign lie in the integer type?
bool fits(std::uint64_t magnitude, Sign sign, ScalarType type) {
  const auto high = static_cast<std::uint64_t>(format::highest(type).integer);  // u64's is the all-ones pattern
  if (sign == Sign::plus) return magnitude <= high;
  return magnitude == 0 || (format::is_signed(type) && magnitude <= high + 1);
}

std::string quoted(Sign sign, const std::string& spelling) { return (sign == Sign::minus ? "-" : "") + spelling; }

std::optional<Value> number_in(Resolution& resolution, const syntax::Expr& literal, const std::string& spelling,
                               Sign sign, ScalarType type) {
  const NumberValue number = number_value(spelling);
  const std::string name(format::name_of(type));
  if (format::is_floating(type)) return Value::of(type, sign == Sign::minus ? -number.real : number.real);
  if (format::is_boolean(type)) {
    resolution.error("E0222", literal->span, quoted(sign, spelling) + " stands where a truth value is needed",
                     "write true or false");
    return std::nullopt;
  }
  if (!number.integral) {
    resolution.error("E0222", literal->span, quoted(sign, spelling) + " is no " + name, "an integer is needed here");
    return std::nullopt;
  }
  if (number.overflow || !fits(number.magnitude, sign, type)) {
    auto& diagnostic =
        resolution.error("E0222", literal->span, quoted(sign, spelling) + " does not fit " + name, "out of range");
    diagnostic.notes.push_back(
        {{}, name + " holds " + to_string(format::lowest(type)) + " to " + to_string(format::highest(type))});
    return std::nullopt;
  }
  const std::uint64_t bits = sign == Sign::minus ? 0 - number.magnitude : number.magnitude;
  return Value::of_integer(type, static_cast<std::int64_t>(bits));
}

}  // namespace

std::optional<Value> literal_value(Resolution& resolution, const syntax::Expr& literal, ScalarType type) {
  Sign sign = Sign::plus;
  syntax::Expr token = literal;
  if (const auto* u = literal.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
    sign = Sign::minus;
    token = u->operand;
  }
  if (const auto* n = token.as<syntax::Number>()) return number_in(resolution, literal, n->spelling, sign, type);
  if (const auto* c = token.as<syntax::Character>())
    return number_in(resolution, literal, std::to_string(c->code), sign, type);
  if (token.as<syntax::Infinity>()) {
    if (format::is_floating(type)) return Value::of(type, sign == Sign::minus ? -HUGE_VAL : HUGE_VAL);
    resolution.error("E0222", literal->span, "inf is for floating types only",
                     "the type here is " + std::string(format::name_of(type)));
    return std::nullopt;
  }
  if (const auto* t = token.as<syntax::Truth>(); t && sign == Sign::plus) {
    if (format::is_boolean(type)) return Value::truth(t->value);
    resolution.error("E0222", literal->span,
                     std::string(t->value ? "true" : "false") + " is no " + std::string(format::name_of(type)));
    return std::nullopt;
  }
  resolution.error("E0222", literal->span, "a literal is needed here");
  return std::nullopt;
}

}  // namespace trellis::lang::resolving
