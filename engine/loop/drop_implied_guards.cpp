#include "engine/loop/drop_implied_guards.hpp"

#include <algorithm>

#include "engine/loop/context.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using math::Affine;

Expr truth(bool value) { return lang::constant(format::Value::truth(value)); }

Expr resolve(const Expr& expr, const Context& known);

/// The right operand stands where the left one holds (`&&`) or does not (`||`).
Expr resolve_logical(const Expr& expr, const lang::Binary& b, const Context& known) {
  const Expr left = resolve(b.left, known);
  const Expr right = resolve(b.right, b.op == BinaryOp::logical_and ? known.where(left) : known.where_not(left));
  int child = 0;
  return lang::map_children(expr, [&](const Expr&) { return child++ == 0 ? left : right; });
}

Expr resolve_select(const Expr& expr, const lang::Select& s, const Context& known) {
  const Expr condition = resolve(s.condition, known);
  const Expr parts[] = {condition, resolve(s.then, known.where(condition)),
                        resolve(s.otherwise, known.where_not(condition))};
  int child = 0;
  return lang::map_children(expr, [&](const Expr&) { return parts[child++]; });
}

Expr resolve(const Expr& expr, const Context& known) {
  if (auto decided = known.decide(expr)) return truth(*decided);
  if (auto* b = expr.as<lang::Binary>(); b && format::is_logical(b->op)) return resolve_logical(expr, *b, known);
  if (auto* s = expr.as<lang::Select>()) return resolve_select(expr, *s, known);
  return lang::map_children(expr, [&](const Expr& child) { return resolve(child, known); });
}

Expr resolve_and_simplify(const Expr& expr, const Context& known) {
  const Expr next = resolve(expr, known);
  return next.same(expr) ? expr : simplify(next);
}

/// Does the other argument of `function` always decide? `max(n, 6)` never does beside 6 in a `min`.
bool is_beaten(const Expr& argument, const Expr& other, Function function, const Context& known) {
  const auto limit = lang::affine(other);
  if (!limit) return false;
  const std::vector<Affine> any = alternatives(argument, function == Function::max ? Function::min : Function::max);
  return std::any_of(any.begin(), any.end(), [&](const Affine& one) {
    return function == Function::max ? known.at_most(one, *limit) : known.at_most(*limit, one);
  });
}

/// Without the arguments of `min` or `max` that another one always beats.
Expr tighten(const Expr& bound, Function function, const Context& known) {
  const std::vector<Expr> all = arguments(bound, function);
  if (all.size() < 2) return bound;
  std::vector<Expr> kept = all;
  for (std::size_t k = kept.size(); k-- > 0 && kept.size() > 1;) {
    for (std::size_t other = 0; other < kept.size(); ++other) {
      if (other == k || !is_beaten(kept[k], kept[other], function, known)) continue;
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
  }
  if (kept.size() == all.size()) return bound;
  lang::Call call{function, kept};
  if (call.arguments.size() == 1) return call.arguments.front();
  return Expr(lang::ExprNode{call, bound->type, bound->span}, bound.origin(), bound.id());
}

bool is_empty(const For& f, const Context& known) {
  for (const Affine& high : alternatives(f.high, Function::min)) {
    for (const Affine& low : alternatives(f.low, Function::max)) {
      if (known.at_most(high, low)) return true;
    }
  }
  return false;
}

Stmt drop_in_for(const Stmt& stmt, const For& f, const Context& known) {
  if (is_empty(f, known)) return block({}, stmt.origin());
  const Expr bounds[] = {tighten(f.low, Function::max, known), tighten(f.high, Function::min, known)};
  int child = 0;
  return map_children(
      stmt, [&](const Stmt& body) { return drop_implied_guards(body, known.inside(f)); },
      [&](const Expr& until) { return child < 2 ? bounds[child++] : resolve_and_simplify(until, known.inside(f)); });
}

Stmt drop_in_if(const Stmt& stmt, const If& i, const Context& known) {
  const Expr condition = resolve_and_simplify(i.condition, known);
  if (auto* constant = condition.as<lang::Constant>()) {
    if (constant->value.is_true()) return drop_implied_guards(i.then, known);
    return i.otherwise ? drop_implied_guards(*i.otherwise, known) : block({}, stmt.origin());
  }
  bool first = true;
  return map_children(
      stmt,
      [&](const Stmt& arm) {
        const bool then = std::exchange(first, false);
        return drop_implied_guards(arm, then ? known.where(condition) : known.where_not(condition));
      },
      [&](const Expr&) { return condition; });
}

}  // namespace

Stmt drop_implied_guards(const Stmt& stmt, const Context& known) {
  if (auto* f = stmt.as<For>()) return drop_in_for(stmt, *f, known);
  if (auto* i = stmt.as<If>()) return drop_in_if(stmt, *i, known);
  const Let* let = stmt.as<Let>();
  const While* loop = stmt.as<While>();
  const Context inner = let ? known.inside(*let) : loop ? known.where(loop->condition) : known;
  return map_children(
      stmt, [&](const Stmt& child) { return drop_implied_guards(child, inner); },
      [&](const Expr& expr) { return resolve_and_simplify(expr, known); });
}

Stmt drop_implied_guards(const Stmt& stmt, math::Solver& solver) { return drop_implied_guards(stmt, Context(solver)); }

}  // namespace trellis::loop
