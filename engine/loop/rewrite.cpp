#include "engine/loop/rewrite.hpp"

#include <map>
#include <string>

#include "engine/loop/context.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using format::UnaryOp;
using lang::ExprNode;

Pattern make(BinaryOp op, const Pattern& a, const Pattern& b) { return lang::binary(op, a.expr, b.expr); }
Pattern make(UnaryOp op, const Pattern& a) { return Expr(ExprNode{lang::Unary{op, a.expr}, a.expr->type, {}}); }
Pattern make(Function function, const Pattern& a, const Pattern& b) {
  return Expr(ExprNode{lang::Call{function, {a.expr, b.expr}}, a.expr->type, {}});
}

using Bound = std::map<std::string, Expr>;

/// `true` in a pattern is a truth value only: `c ? 1 : 0` is a number and not c.
bool is_number(const format::Value& value, const format::Value& number) {
  if (number.type == format::ScalarType::boolean && value.type != number.type) return false;
  return value == format::cast(value.type, number);
}

bool matches(const Expr& pattern, const Expr& expr, Bound& bound) {
  if (auto* wild = pattern.as<lang::Variable>()) {
    auto [place, fresh] = bound.emplace(wild->name, expr);
    return fresh || place->second == expr;
  }
  if (auto* number = pattern.as<lang::Constant>()) {
    auto* constant = expr.as<lang::Constant>();
    return constant && is_number(constant->value, number->value);
  }
  if (auto* p = pattern.as<lang::Unary>()) {
    auto* e = expr.as<lang::Unary>();
    return e && p->op == e->op && matches(p->operand, e->operand, bound);
  }
  if (auto* p = pattern.as<lang::Binary>()) {
    auto* e = expr.as<lang::Binary>();
    return e && p->op == e->op && matches(p->left, e->left, bound) && matches(p->right, e->right, bound);
  }
  if (auto* p = pattern.as<lang::Select>()) {
    auto* e = expr.as<lang::Select>();
    return e && matches(p->condition, e->condition, bound) && matches(p->then, e->then, bound) &&
           matches(p->otherwise, e->otherwise, bound);
  }
  auto* p = pattern.as<lang::Call>();
  auto* e = expr.as<lang::Call>();
  return p && e && p->function == e->function && e->arguments.size() == 2 &&
         matches(p->arguments[0], e->arguments[0], bound) && matches(p->arguments[1], e->arguments[1], bound);
}

/// The pattern with what its wildcards stand for. A constant takes the type of the place that it stands in, which is
/// that of the whole except for the operands of a comparison; rules have no constants there.
Expr fill_in(const Expr& pattern, const Bound& bound, format::ScalarType type) {
  if (auto* wild = pattern.as<lang::Variable>()) return bound.at(wild->name);
  if (auto* number = pattern.as<lang::Constant>()) return lang::constant(format::cast(type, number->value));
  Expr filled = lang::map_children(pattern, [&](const Expr& child) { return fill_in(child, bound, type); });
  ExprNode node = *filled;
  node.type = type;
  return Expr(node);
}

bool drops_a_fault(const Rule& rule, const Bound& bound) {
  for (const auto& [name, expr] : bound) {
    if (!contains(lang::free_variables(rule.after.expr), name) && may_fault(expr)) return true;
  }
  return false;
}

/// No floating operand, the operands of a negated comparison included.
bool is_exact(const Expr& expr) {
  if (format::is_floating(expr->type)) return false;
  bool exact = true;
  lang::for_each_child(expr, [&](const Expr& child) {
    exact = exact && (expr.as<lang::Unary>() ? is_exact(child) : !format::is_floating(child->type));
  });
  return exact;
}

}  // namespace

Pattern wildcard(const char* name) { return lang::variable(name); }
Pattern operator+(Pattern a, Pattern b) { return make(BinaryOp::add, a, b); }
Pattern operator-(Pattern a, Pattern b) { return make(BinaryOp::subtract, a, b); }
Pattern operator*(Pattern a, Pattern b) { return make(BinaryOp::multiply, a, b); }
Pattern operator/(Pattern a, Pattern b) { return make(BinaryOp::divide, a, b); }
Pattern operator-(Pattern a) { return make(UnaryOp::negate, a); }
Pattern operator!(Pattern a) { return make(UnaryOp::logical_not, a); }
Pattern operator&&(Pattern a, Pattern b) { return make(BinaryOp::logical_and, a, b); }
Pattern operator||(Pattern a, Pattern b) { return make(BinaryOp::logical_or, a, b); }
Pattern operator==(Pattern a, Pattern b) { return make(BinaryOp::equal, a, b); }
Pattern operator!=(Pattern a, Pattern b) { return make(BinaryOp::not_equal, a, b); }
Pattern operator<(Pattern a, Pattern b) { return make(BinaryOp::less, a, b); }
Pattern operator<=(Pattern a, Pattern b) { return make(BinaryOp::less_equal, a, b); }
Pattern operator>(Pattern a, Pattern b) { return make(BinaryOp::greater, a, b); }
Pattern operator>=(Pattern a, Pattern b) { return make(BinaryOp::greater_equal, a, b); }
Pattern power(Pattern a, Pattern b) { return make(BinaryOp::power, a, b); }
Pattern select(Pattern condition, Pattern then, Pattern otherwise) {
  return Expr(ExprNode{lang::Select{condition.expr, then.expr, otherwise.expr}, then.expr->type, {}});
}
Pattern min(Pattern a, Pattern b) { return make(Function::min, a, b); }
Pattern max(Pattern a, Pattern b) { return make(Function::max, a, b); }

std::optional<Expr> rewrite(const Expr& expr, const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    Bound bound;
    if (!matches(rule.before.expr, expr, bound)) continue;
    if (rule.when == Rule::For::exact_types && !is_exact(expr)) continue;
    if (drops_a_fault(rule, bound)) continue;
    return fill_in(rule.after.expr, bound, expr->type);
  }
  return std::nullopt;
}

}  // namespace trellis::loop
