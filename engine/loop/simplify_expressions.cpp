#include "engine/loop/simplify_expressions.hpp"

#include <set>

#include "engine/loop/rewrite.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using format::Value;

const std::vector<Rule>& rules() {
  static const Pattern x = wildcard("x"), y = wildcard("y");
  constexpr auto exact = Rule::For::exact_types;
  static const std::vector<Rule> table = {
      {x * 1, x},
      {1 * x, x},
      {x / 1, x},
      {x - 0, x},
      {-(-x), x},
      {power(x, 1), x},
      {x + 0, x, exact},
      {0 + x, x, exact},
      {x * 0, 0, exact},
      {0 * x, 0, exact},
      {x - x, 0, exact},
      {min(x, x), x},
      {max(x, x), x},
      {!(!x), x},
      {true && x, x},
      {x && true, x},
      {false && x, false},
      {x && false, false},
      {x && x, x},
      {true || x, true},
      {x || true, true},
      {false || x, x},
      {x || false, x},
      {x || x, x},
      {x == x, true, exact},
      {x != x, false, exact},
      {x < x, false, exact},
      {x <= x, true, exact},
      {x > x, false, exact},
      {x >= x, true, exact},
      {!(x == y), x != y},
      {!(x != y), x == y},
      {!(x < y), x >= y, exact},
      {!(x <= y), x > y, exact},
      {!(x > y), x <= y, exact},
      {!(x >= y), x < y, exact},
      {select(true, x, y), x},
      {select(false, x, y), y},
      {select(x, y, y), y},
      {select(x, true, false), x},
      {select(x, false, true), !x},
  };
  return table;
}

std::optional<Expr> fold_constants(const Expr& expr) {
  std::vector<Value> values;
  bool all = true, absent = false;
  lang::for_each_child(expr, [&](const Expr& child) {
    auto* constant = child.as<lang::Constant>();
    all = all && constant;
    if (!constant) return;
    values.push_back(constant->value);
    absent = absent || constant->absent;
  });
  if (!all || values.empty()) return std::nullopt;
  if (auto* u = expr.as<lang::Unary>()) return lang::constant(format::apply(u->op, values[0]), absent);
  if (auto* c = expr.as<lang::Cast>(); c && c->operand->type == expr->type)
    return std::nullopt;  // an index to be checked
  if (expr.as<lang::Cast>()) return lang::constant(format::cast(expr->type, values[0]), absent);
  if (auto* c = expr.as<lang::Call>()) {
    return lang::constant(format::apply(c->function, values.data(), static_cast<int>(values.size())), absent);
  }
  if (auto* b = expr.as<lang::Binary>()) {
    format::Fault fault = format::Fault::none;
    const Value result = format::apply(b->op, values[0], values[1], fault);
    if (fault == format::Fault::none) return lang::constant(result, absent);
  }
  return std::nullopt;
}

void collect_variables(const Expr& expr, std::set<std::string>& into) {
  if (auto* v = expr.as<lang::Variable>()) into.insert(v->name);
  lang::for_each_child(expr, [&](const Expr& child) { collect_variables(child, into); });
}

std::optional<Expr> normalise_affine(const Expr& expr) {
  if (!expr.as<lang::Binary>() && !expr.as<lang::Unary>()) return std::nullopt;
  auto form = lang::affine(expr);
  if (!form) return std::nullopt;
  std::set<std::string> variables;
  collect_variables(expr, variables);
  return lang::to_expr(*form, {variables.begin(), variables.end()});
}

/// `i + 1 < i + 3`: sides that differ by a constant.
std::optional<Expr> compare_affine(const Expr& expr) {
  auto* b = expr.as<lang::Binary>();
  if (!b || !format::is_comparison(b->op)) return std::nullopt;
  auto left = lang::affine(b->left);
  auto right = lang::affine(b->right);
  if (!left || !right) return std::nullopt;
  const math::Affine difference = *left - *right;
  if (!difference.is_constant()) return std::nullopt;
  format::Fault fault = format::Fault::none;
  const auto i64 = format::ScalarType::i64;
  return lang::constant(
      format::apply(b->op, Value::of_integer(i64, difference.constant), Value::of_integer(i64, 0), fault));
}

/// `abs(i - j) <= w` of loop variables, which are never as low as abs would wrap at: two conditions that bound a loop.
std::optional<Expr> split_absolute(const Expr& expr) {
  auto* b = expr.as<lang::Binary>();
  if (!b || (b->op != BinaryOp::less && b->op != BinaryOp::less_equal)) return std::nullopt;
  auto* call = b->left.as<lang::Call>();
  if (!call || call->function != Function::abs || call->arguments.front()->type != format::ScalarType::i64)
    return std::nullopt;
  const Expr& inner = call->arguments.front();
  if (!lang::affine(inner) || !lang::affine(b->right)) return std::nullopt;
  const Expr lowest(lang::ExprNode{lang::Unary{format::UnaryOp::negate, b->right}, b->right->type, b->right->span});
  return lang::binary(BinaryOp::logical_and, lang::binary(b->op, inner, b->right),
                      lang::binary(b->op, simplify(lowest), inner));
}

/// Integer `min` and `max`: nested ones become one, equal arguments appear once, constants are combined.
std::optional<Expr> flatten_extremum(const Expr& expr) {
  auto* call = expr.as<lang::Call>();
  if (!call || (call->function != Function::min && call->function != Function::max)) return std::nullopt;
  if (!format::is_integer(expr->type)) return std::nullopt;
  std::vector<Expr> kept;
  std::optional<Value> constant;
  auto add = [&](auto&& self, const Expr& argument) -> void {
    auto* inner = argument.as<lang::Call>();
    if (inner && inner->function == call->function) {
      for (const Expr& part : inner->arguments) self(self, part);
    } else if (auto* number = argument.as<lang::Constant>()) {
      const Value both[] = {constant.value_or(number->value), number->value};
      constant = format::apply(call->function, both, 2);
    } else if (!contains(kept, argument)) {
      kept.push_back(argument);
    }
  };
  for (const Expr& argument : call->arguments) add(add, argument);
  if (constant) kept.push_back(lang::constant(*constant));
  if (kept.size() == 1) return kept.front();
  return Expr(lang::ExprNode{lang::Call{call->function, kept}, expr->type, expr->span});
}

/// The same expression with the place and origin of the one that it replaces.
Expr in_place_of(const Expr& before, const Expr& after) {
  lang::ExprNode node = *after;
  node.span = before->span;
  return Expr(std::move(node), before.origin(), before.id());
}

}  // namespace

Expr simplify(const Expr& expr) {
  // Whole affine expressions at once: their parts need no forms of their own.
  if (auto normal = normalise_affine(expr)) return *normal == expr ? expr : in_place_of(expr, *normal);
  Expr current = lang::map_children(expr, [](const Expr& child) { return simplify(child); });
  for (auto step : {fold_constants, compare_affine, split_absolute, flatten_extremum}) {
    if (auto next = step(current); next && !(*next == current)) return in_place_of(expr, *next);
  }
  if (auto next = rewrite(current, rules())) return simplify(in_place_of(expr, *next));
  return current;
}

Stmt simplify_expressions(const Stmt& stmt) {
  return map_children(
      stmt, [](const Stmt& child) { return simplify_expressions(child); },
      [](const Expr& expr) { return simplify(expr); });
}

}  // namespace trellis::loop
