#include "engine/loop/inline_single_iterations.hpp"

#include <utility>

#include "engine/loop/context.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

using format::Function;
using math::Affine;
using math::Relation;

Stmt substitute(const Stmt& stmt, const std::string& name, const Expr& value) {
  if (stmt.as<Note>()) return block({});
  return map_children(
      stmt, [&](const Stmt& child) { return substitute(child, name, value); },
      [&](const Expr& expr) {
        return simplify(lang::substitute(expr, {{name, value}}));
      });
}

/// The one value that the loop's variable can have, if some pair of bounds leaves just one.
std::optional<Affine> only_value(const For& f, const Context& known) {
  const auto lows = alternatives(f.low, Function::max);
  const auto highs = alternatives(f.high, Function::min);
  for (const Affine& low : lows) {
    for (const Affine& high : highs) {
      if (!known.at_most(high, low + Affine(1))) continue;
      return lows.size() <= highs.size() ? low : high - Affine(1);
    }
  }
  return std::nullopt;
}

Stmt inline_for(const Stmt& stmt, const For& f, const Context& known) {
  auto value = only_value(f, known);
  if (!value) return stmt;
  std::vector<Expr> conditions;
  Context reached = known;
  auto require = [&](const math::Constraint& c) {
    if (reached.implies(c)) return;
    conditions.push_back(known.to_expr(c));
    reached = reached.where(c);
  };
  for (const Affine& low : alternatives(f.low, Function::max)) require({low, Relation::less_equal, *value});
  for (const Affine& high : alternatives(f.high, Function::min)) require({*value, Relation::less, high});
  const Stmt replaced = substitute(f.body, f.variable, known.to_expr(*value));
  const Stmt body(*replaced, text::merge(stmt.origin(), f.body.origin()), replaced.id());
  if (conditions.empty()) return body;
  return Stmt(StmtNode{If{conjunction(conditions), body, std::nullopt}, stmt->span}, stmt.origin());
}

Stmt inline_in(const Stmt& stmt, const Context& known, Singles singles) {
  bool first = true;
  const Stmt next = map_children(
      stmt,
      [&](const Stmt& child) { return inline_in(child, known.within(stmt, std::exchange(first, false)), singles); },
      [](const Expr& expr) { return expr; });
  auto* f = next.as<For>();
  // Whether what ends it early does so is told, although there is nothing to end.
  const bool ends = f && f->until;
  const bool fixed = f && f->low.as<lang::Constant>() && f->high.as<lang::Constant>();
  const bool stays = ends || (fixed && singles == Singles::kept);
  return f && !stays ? inline_for(next, *f, known) : next;
}

}  // namespace

Stmt inline_single_iterations(const Stmt& stmt, math::Solver& solver, Singles singles) {
  return inline_in(stmt, Context(solver), singles);
}

}  // namespace trellis::loop
