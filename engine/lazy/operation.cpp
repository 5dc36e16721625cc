#include "engine/lazy/operation.hpp"

#include <cassert>

namespace trellis::lazy {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

lang::Expr operation(const Operator& op, const std::vector<ScalarType>& operands) {
  std::vector<lang::Expr> zeros;
  for (const ScalarType type : operands) zeros.push_back(lang::constant(Value::of_integer(type, 0)));
  return std::visit(
      text::overloaded{
          [&](format::UnaryOp unary) {
            const bool truth = unary == format::UnaryOp::logical_not;
            return lang::Expr({lang::Unary{unary, zeros[0]}, truth ? ScalarType::boolean : operands[0], {}});
          },
          [&](BinaryOp binary) { return lang::binary(binary, zeros[0], zeros[1]); },
          [&](Function function) {
            return lang::Expr({lang::Call{function, zeros}, operands[0], {}});
          },
          [&](const Cast& to) {
            return lang::Expr({lang::Cast{zeros[0]}, to.type, {}});
          },
          [&](const Where&) {
            return lang::Expr({lang::Select{zeros[0], zeros[1], zeros[2]}, operands[1], {}});
          }},
      op);
}

ScalarType result_type(const Operator& op, const std::vector<ScalarType>& operands) {
  return operation(op, operands)->type;
}

namespace {

std::vector<ScalarType> types_of(const std::vector<Value>& values) {
  std::vector<ScalarType> types;
  for (const Value& value : values) types.push_back(value.type);
  return types;
}

}  // namespace

Value value_of(const Operator& op, const std::vector<Value>& values) {
  const lang::Expr expr = operation(op, types_of(values));
  return lang::evaluate(expr, values).value_or(Value::of_integer(expr->type, 0));
}

std::vector<lang::Properties::Constant> deciding(const Operator& op, const std::vector<ScalarType>& operands) {
  return lang::properties(operation(op, operands), {}).constants;
}

Operator folding(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return BinaryOp::add;
    case ReduceOp::prod: return BinaryOp::multiply;
    case ReduceOp::min: return Function::min;
    case ReduceOp::max: return Function::max;
    case ReduceOp::any: return BinaryOp::logical_or;
    case ReduceOp::all: return BinaryOp::logical_and;
    default: break;
  }
  assert(false && "argmin, argmax and functions fold no values");
  return BinaryOp::add;
}

bool is_idempotent(ReduceOp op) { return op != ReduceOp::sum && op != ReduceOp::prod; }

}  // namespace trellis::lazy
