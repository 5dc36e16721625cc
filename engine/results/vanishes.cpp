#include "engine/results/vanishes.hpp"

#include <algorithm>

#include "engine/loop/simplify_expressions.hpp"

namespace trellis::results {
namespace {

using format::BinaryOp;
using format::Value;
using loop::Expr;
using loop::Stmt;

bool is_absent(const Expr& e, const Value& value) {
  const auto* c = e.as<lang::Constant>();
  return c && c->absent && c->value == value;
}

bool is_absent(const Expr& e, std::int64_t number) { return is_absent(e, Value::of_integer(e->type, number)); }

/// The operand that stores nothing and decides the result alone.
std::optional<Expr> annihilated(const Expr& e) {
  const auto* b = e.as<lang::Binary>();
  if (!b) return std::nullopt;
  const auto either = [&](int value) -> std::optional<Expr> {
    if (is_absent(b->left, value)) return b->left;
    if (is_absent(b->right, value)) return b->right;
    return std::nullopt;
  };
  switch (b->op) {
    case BinaryOp::multiply:
    case BinaryOp::logical_and:
    case BinaryOp::bit_and: return either(0);
    case BinaryOp::logical_or: return either(1);
    case BinaryOp::divide:
      return format::is_floating(e->type) && is_absent(b->left, 0) ? std::optional(b->left) : std::nullopt;
    case BinaryOp::add: {
      for (const Expr& side : {b->left, b->right})
        if (format::is_floating(side->type) && is_absent(side, format::highest(side->type))) return side;
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace

Expr at_fill(const Expr& expr, const AtFill& known) {
  if (const auto* access = expr.as<lang::Access>())
    if (const auto fill = known(*access)) return lang::constant(*fill, true);
  const Expr inner = lang::map_children(expr, [&](const Expr& child) { return at_fill(child, known); });
  const std::optional<Expr> decided = annihilated(inner);
  return decided ? *decided : loop::simplify(inner);
}

bool vanishes(const Stmt& stmt, const AtFill& known) {
  const auto all = [&](const Stmt& body) {
    return std::ranges::all_of(body.as<loop::Block>()->statements, [&](const Stmt& s) { return vanishes(s, known); });
  };
  if (stmt.as<loop::Note>()) return true;
  if (stmt.as<loop::Block>()) return all(stmt);
  if (const auto* f = stmt.as<loop::For>()) return !f->until && all(f->body);
  if (const auto* l = stmt.as<loop::Let>()) return all(l->body);
  if (const auto* i = stmt.as<loop::If>()) return all(i->then) && (!i->otherwise || all(*i->otherwise));
  const auto* a = stmt.as<loop::Assign>();
  if (!a || !a->op || *a->op == format::ReduceOp::user) return false;
  const Expr value = at_fill(a->value, known);
  const auto* constant = value.as<lang::Constant>();
  return constant && constant->value == format::identity(*a->op, constant->value.type);
}

}  // namespace trellis::results
