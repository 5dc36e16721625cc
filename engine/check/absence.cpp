#include "engine/check/absence.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::check {

using format::BinaryOp;
using format::Value;

Certainty both(Certainty a, Certainty b) {
  if (a == Certainty::computed || b == Certainty::computed) return Certainty::computed;
  return std::max(a, b);
}

std::optional<Value> annihilated(BinaryOp op, int position, const Value& value) {
  const bool zero = !value.is_true();
  const bool infinite = format::is_floating(value.type) && std::isinf(value.real);
  const bool rises = value.real > 0;
  switch (op) {
    case BinaryOp::multiply:
    case BinaryOp::bit_and: return zero ? std::optional(value) : std::nullopt;
    case BinaryOp::divide:
    case BinaryOp::modulo:
    case BinaryOp::shift_left:
    case BinaryOp::shift_right: return zero && position == 0 ? std::optional(value) : std::nullopt;
    case BinaryOp::add: return infinite ? std::optional(value) : std::nullopt;
    case BinaryOp::less:
      return infinite && rises == (position == 0) ? std::optional(Value::truth(false)) : std::nullopt;
    case BinaryOp::greater:
      return infinite && rises == (position == 1) ? std::optional(Value::truth(false)) : std::nullopt;
    case BinaryOp::logical_and: return zero ? std::optional(value) : std::nullopt;
    case BinaryOp::logical_or: return zero ? std::nullopt : std::optional(value);
    default: return std::nullopt;
  }
}

std::optional<Value> annihilated(format::Function function, const Value& value) {
  const bool lowest = function == format::Function::min && value == format::lowest(value.type);
  const bool highest = function == format::Function::max && value == format::highest(value.type);
  return lowest || highest ? std::optional(value) : std::nullopt;
}

std::optional<Value> annihilated(const lang::FunctionProperties& properties, int position, const Value& value) {
  const auto applies = [&](const lang::FunctionProperties::Special& special) {
    return special.value == value && special.position.value_or(position) == position;
  };
  for (const auto& annihilator : properties.annihilators)
    if (applies(annihilator)) return annihilator.value;
  for (const auto& constant : properties.constants)
    if (applies(constant.when)) return constant.result;
  return std::nullopt;
}

}  // namespace trellis::check
