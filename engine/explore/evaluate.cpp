#include "engine/explore/evaluate.hpp"

#include <algorithm>

#include "engine/math/division.hpp"

namespace trellis::explore {
namespace {

using format::BinaryOp;
using Value = std::optional<std::int64_t>;

Value apply(BinaryOp op, std::int64_t left, std::int64_t right) {
  switch (op) {
    case BinaryOp::add: return left + right;
    case BinaryOp::subtract: return left - right;
    case BinaryOp::multiply: return left * right;
    case BinaryOp::divide: return right == 0 ? Value() : math::floor_div(left, right);
    case BinaryOp::modulo: return right == 0 ? Value() : math::floor_mod(left, right);
    case BinaryOp::equal: return left == right;
    case BinaryOp::not_equal: return left != right;
    case BinaryOp::less: return left < right;
    case BinaryOp::less_equal: return left <= right;
    case BinaryOp::greater: return left > right;
    case BinaryOp::greater_equal: return left >= right;
    case BinaryOp::logical_and: return left && right;
    case BinaryOp::logical_or: return left || right;
    default: return std::nullopt;
  }
}

Value apply(format::UnaryOp op, std::int64_t operand) {
  switch (op) {
    case format::UnaryOp::negate: return -operand;
    case format::UnaryOp::logical_not: return operand == 0;
    case format::UnaryOp::bit_not: return ~operand;
  }
  return std::nullopt;
}

Value extreme(const lang::Call& call, const Names& names) {
  const bool least = call.function == format::Function::min;
  if (!least && call.function != format::Function::max) return std::nullopt;
  Value best;
  for (const lang::Expr& argument : call.arguments) {
    const Value one = evaluate(argument, names);
    if (!one) return std::nullopt;
    best = !best ? *one : least ? std::min(*best, *one) : std::max(*best, *one);
  }
  return best;
}

}  // namespace

Value evaluate(const lang::Expr& e, const Names& names) {
  if (format::is_floating(e->type)) return std::nullopt;
  const auto named = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? Value() : Value(found->second);
  };
  if (const auto* c = e.as<lang::Constant>()) return c->value.as_integer();
  if (const auto* p = e.as<lang::Parameter>()) return named(p->name);
  if (const auto* v = e.as<lang::Variable>()) return named(v->name);
  if (const auto* c = e.as<lang::Cast>()) return evaluate(c->operand, names);
  if (const auto* c = e.as<lang::Call>()) return extreme(*c, names);
  if (const auto* s = e.as<lang::Select>()) {
    const Value condition = evaluate(s->condition, names);
    return condition ? evaluate(*condition ? s->then : s->otherwise, names) : std::nullopt;
  }
  if (const auto* u = e.as<lang::Unary>()) {
    const Value operand = evaluate(u->operand, names);
    return operand ? apply(u->op, *operand) : std::nullopt;
  }
  if (const auto* b = e.as<lang::Binary>()) {
    const Value left = evaluate(b->left, names), right = evaluate(b->right, names);
    return left && right ? apply(b->op, *left, *right) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace trellis::explore
