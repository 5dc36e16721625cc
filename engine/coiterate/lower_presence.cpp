// An element that is looked up and not found decides an operation as it does where a loop passes it by: `0 * inf` is 0 there.
//
//   A(i,j) * x(j)      pA >= 0 ? A[pA] * x[j] : 0
//   (A + B) * x        pA >= 0 || pB >= 0 ? (A + B) * x : 0
//   A + x, A + B       (pA >= 0 ? A[pA] : 0) + x            a sum is decided by no operand
//   A * x(p(i))        pA >= 0 ? A[pA] * x[p[i]] : (x[p[i]]; 0)     the other operand is asked for, as it may be an error

#include <algorithm>

#include "engine/coiterate/lowering.hpp"
#include "engine/coiterate/properties.hpp"
#include "engine/loop/context.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using format::ScalarType;

Expr either(const Expr& a, const std::optional<Expr>& b) {
  return b ? Expr(ExprNode{Binary{BinaryOp::logical_or, a, *b}, ScalarType::boolean, {}}) : a;
}

/// Could the operation give something else than its decisive operand says? A fault, or not-a-number.
bool is_exceptional(const lang::Expr& e) {
  const auto* b = e.as<lang::Binary>();
  return format::is_floating(e->type) || (b && (b->op == BinaryOp::divide || b->op == BinaryOp::modulo));
}

/// The expression where the condition, a conjunction, holds.
Expr assuming(const Expr& condition, const Expr& e) {
  if (const auto* b = condition.as<Binary>(); b && b->op == BinaryOp::logical_and) return assuming(b->left, assuming(b->right, e));
  const std::function<Expr(const Expr&)> go = [&](const Expr& inner) -> Expr {
    const auto* s = inner.as<Select>();
    return s && s->condition == condition ? go(s->then) : map_children(inner, go);
  };
  return go(e);
}

}  // namespace

Expr Lowering::is_found(const std::string& position) {
  return Expr(ExprNode{Binary{BinaryOp::greater_equal, name(position), integer(0)}, ScalarType::boolean, {}});
}

std::optional<Lowering::Presence> Lowering::presence(const lang::Expr& e) {
  if (const auto* c = e.as<lang::Constant>()) return Presence{{}, c->value, false};
  if (const auto* a = e.as<lang::Access>()) {
    if (inside_function_) return std::nullopt;
    const std::string missing = resolve(*a).missing;
    return missing.empty() ? std::nullopt : std::optional(Presence{is_found(missing), info(a->tensor)->fill, false});
  }
  if (e.as<lang::Select>()) return std::nullopt;  // a choice is computed
  std::vector<std::optional<Presence>> parts;
  for (const lang::Expr& part : operands(e)) parts.push_back(presence(part));
  std::optional<Presence> decided;
  for (const Properties::Constant& c : properties(e, program_).constants) {
    const auto& part = parts[static_cast<std::size_t>(c.position)];
    if (!part || !part->present || !(part->otherwise == c.value) || (decided && !(decided->otherwise == c.result))) continue;
    decided = Presence{both(*part->present, decided ? decided->present : std::nullopt), c.result, true};
  }
  if (decided || parts.empty()) return decided;
  std::optional<Expr> any;
  std::vector<format::Value> values;
  for (const auto& part : parts) {
    if (!part) return std::nullopt;
    if (part->present) any = either(*part->present, any);
    values.push_back(part->otherwise);
  }
  const std::optional<format::Value> value = evaluate(e, values);
  return value ? std::optional(Presence{any, *value, false}) : std::nullopt;
}

/// Looking it up has asked for its indices.
bool Lowering::is_found_already(const lang::Expr& e) {
  if (const auto* c = e.as<lang::Cast>()) return is_found_already(c->operand);
  return e.as<lang::Access>() && presence(e);
}

Expr Lowering::where_present(const lang::Expr& e, const Expr& operation) {
  if (states_.empty() || !is_exceptional(e)) return operation;
  const std::optional<Presence> known = presence(e);
  const std::vector<lang::Expr> parts = operands(e);
  if (!known || !known->present || !known->by_one) return operation;
  std::vector<format::Value> constants;
  std::size_t variable = 0;
  for (const lang::Expr& part : parts) {
    const auto one = presence(part);
    if (one) constants.push_back(one->otherwise);
    variable += !one || one->present;
  }
  if (variable == 1 && evaluate(e, constants) == known->otherwise) return operation;  // 2 * 0 is 0 anyway
  Expr otherwise = constant(known->otherwise);
  for (const lang::Expr& part : parts)
    if (loop::may_fault(part) && !is_found_already(part)) otherwise = make(After{expr(part), otherwise}, e);
  return make(Select{*known->present, assuming(*known->present, operation), otherwise}, e);
}

}  // namespace trellis::coiterate
