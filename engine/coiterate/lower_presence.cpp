#include "engine/coiterate/lower_presence.hpp"

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/lang/properties.hpp"
#include "engine/loop/context.hpp"

namespace trellis::coiterate {

namespace {

/// Where too little is stored for anything else, an expression is `otherwise`.
struct Presence {
  std::optional<Expr> present;  ///< enough is stored; none: it never is, the expression is a constant
  format::Value otherwise;
  bool by_one;  ///< a missing operand decides, whatever the others are; no: it is computed with fills
};

/// Could the operation give something else than its decisive operand says? A fault, or not-a-number.
bool is_exceptional(const lang::Expr& e) {
  const auto* b = e.as<lang::Binary>();
  return format::is_floating(e->type) ||
         (b && (b->op == format::BinaryOp::divide || b->op == format::BinaryOp::modulo));
}

/// The expression where the condition, a conjunction, holds.
Expr assuming(const Expr& condition, const Expr& e) {
  if (const auto* b = condition.as<Binary>(); b && b->op == format::BinaryOp::logical_and)
    return assuming(b->left, assuming(b->right, e));
  const std::function<Expr(const Expr&)> go = [&](const Expr& inner) -> Expr {
    const auto* s = inner.as<Select>();
    return s && s->condition == condition ? go(s->then) : map_children(inner, go);
  };
  return go(e);
}

/// Empty: the expression is computed, whatever is stored.
std::optional<Presence> presence(Context& in, const lang::Expr& e) {
  if (const auto* c = e.as<lang::Constant>()) return Presence{{}, c->value, false};
  if (const auto* a = e.as<lang::Access>()) {
    if (in.origins.function) return std::nullopt;
    const std::string missing = descend(in, *a).missing;
    return missing.empty() ? std::nullopt
                           : std::optional(Presence{is_found(missing), info(in, a->tensor)->fill, false});
  }
  if (e.as<lang::Select>()) return std::nullopt;  // a choice is computed
  std::vector<std::optional<Presence>> parts;
  for (const lang::Expr& part : operands(e)) parts.push_back(presence(in, part));
  std::optional<Presence> decided;
  for (const lang::Properties::Constant& c : properties(e, in.program).constants) {
    const auto& part = parts[static_cast<std::size_t>(c.position)];
    if (!part || !part->present || !(part->otherwise == c.value) || (decided && !(decided->otherwise == c.result)))
      continue;
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
bool is_found_already(Context& in, const lang::Expr& e) {
  if (const auto* c = e.as<lang::Cast>()) return is_found_already(in, c->operand);
  return e.as<lang::Access>() && presence(in, e);
}

}  // namespace

Expr where_present(Context& in, const lang::Expr& e, const Expr& operation) {
  if (in.entries.empty() || !is_exceptional(e)) return operation;
  const std::optional<Presence> known = presence(in, e);
  const std::vector<lang::Expr> parts = operands(e);
  if (!known || !known->present || !known->by_one) return operation;
  std::vector<format::Value> constants;
  std::size_t variable = 0;
  for (const lang::Expr& part : parts) {
    const auto one = presence(in, part);
    if (one) constants.push_back(one->otherwise);
    variable += !one || one->present;
  }
  if (variable == 1 && evaluate(e, constants) == known->otherwise) return operation;  // 2 * 0 is 0 anyway
  Expr otherwise = constant(known->otherwise);
  for (const lang::Expr& part : parts)
    if (loop::may_fault(part) && !is_found_already(in, part))
      otherwise = make(in, After{lower_expr(in, part), otherwise}, e);
  return make(in, Select{*known->present, assuming(*known->present, operation), otherwise}, e);
}

}  // namespace trellis::coiterate
