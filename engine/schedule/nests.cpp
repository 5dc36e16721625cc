#include "engine/schedule/nests.hpp"

#include <algorithm>

#include "engine/loop/simplify_expressions.hpp"

namespace trellis::schedule {

using lang::Expr;
using loop::For;
using loop::Stmt;
using math::Affine;
using math::Constraint;
using math::Relation;

Moves compose(const Moves& first, const Moves& second) {
  Moves result = second;
  for (const auto& [statement, move] : first) {
    Move& whole = result[statement];
    const Move then = whole;
    for (const auto& [variable, value] : move) whole[variable] = value.substitute(then);
  }
  return result;
}

bool has_loop(const Stmt& stmt, const std::string& variable) {
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& inner) { found |= inner.as<For>() && inner.as<For>()->variable == variable; });
  return found;
}

bool mentions(const Expr& expr, const std::string& tensor) {
  const auto* access = expr.as<lang::Access>();
  bool found = access && access->tensor == tensor;
  lang::for_each_child(expr, [&](const Expr& child) { found = found || mentions(child, tensor); });
  return found;
}

bool mentions(const Stmt& stmt, const std::string& tensor) {
  const auto* reset = stmt.as<loop::Reset>();
  bool found = reset && reset->tensor == tensor;
  loop::for_each_child(
      stmt, [&](const Stmt& child) { found = found || mentions(child, tensor); },
      [&](const Expr& e) { found = found || mentions(e, tensor); });
  return found;
}

std::vector<std::string> bound_names(const Stmt& stmt) {
  std::set<std::string> names;
  loop::for_each(stmt, [&](const Stmt& inner) {
    if (const auto* f = inner.as<For>()) names.insert(f->variable);
    if (const auto* l = inner.as<loop::Let>()) names.insert(l->name);
  });
  return {names.begin(), names.end()};
}

Stmt replace(const Stmt& body, const std::string& variable, const Affine& value, const std::vector<std::string>& names,
             Moves& moves) {
  if (body.id() >= 0) moves[body.id()][variable] = value;
  return loop::map_children(
      body, [&](const Stmt& child) { return replace(child, variable, value, names, moves); },
      [&](const Expr& expr) {
        return loop::simplify(lang::substitute(expr, {{variable, lang::to_expr(value, names)}}));
      });
}

namespace {

/// The constraint as `form >= 0`.
Affine form_of(const Constraint& c) {
  const bool upper = c.relation == Relation::less || c.relation == Relation::less_equal;
  const bool strict = c.relation == Relation::less || c.relation == Relation::greater;
  return (upper ? c.right - c.left : c.left - c.right) - Affine(strict ? 1 : 0);
}

/// `form >= 0` without the quotient in it, when there is one: `rest + a/d >= 0` is `d*rest + a >= 0`.
Affine linear(const Affine& form) {
  if (form.quotients.size() != 1 || form.quotients.front().kind != math::Quotient::Kind::div) return form;
  const math::Quotient& q = form.quotients.front();
  Affine rest = form;
  rest.quotients.clear();
  if (q.coefficient == 1) return linear(q.divisor * rest + *q.numerator);
  if (q.coefficient == -1) return linear(q.divisor * rest + Affine(q.divisor - 1) - *q.numerator);
  return form;
}

}  // namespace

Expr extremum(format::Function function, const std::vector<Affine>& values, const std::vector<std::string>& names) {
  std::vector<Expr> all;
  for (const Affine& value : values) all.push_back(lang::to_expr(value, names));
  if (all.size() == 1) return all.front();
  return loop::simplify(Expr(lang::ExprNode{lang::Call{function, all}, format::ScalarType::i64, {}}));
}

std::optional<std::vector<Constraint>> bounds_of(const For& loop, const std::vector<std::string>& names) {
  const auto lows = loop::alternatives(loop.low, format::Function::max),
             highs = loop::alternatives(loop.high, format::Function::min);
  if (lows.empty() || highs.empty()) return std::nullopt;
  std::vector<Constraint> all;
  const Affine variable = Affine::name(loop.variable);
  for (const Affine& low : lows) all.push_back({0, Relation::less_equal, linear(variable - low)});
  for (const Affine& high : highs) all.push_back({0, Relation::less_equal, linear(high - variable - 1)});
  for (const Constraint& c : all)
    for (const math::Quotient& q : c.right.quotients)
      if (std::ranges::any_of(names, [&](const std::string& name) { return q.numerator->mentions(name); }))
        return std::nullopt;
  return all;
}

For with_bounds(For loop, std::vector<Constraint> constraints, const loop::Context& known,
                const std::vector<std::string>& names) {
  std::erase_if(constraints, [&](const Constraint& c) { return !c.mentions(loop.variable); });
  // Bounds that say nothing: the variable is known, but not where it is.
  const Expr self = lang::variable(loop.variable);
  const loop::Context free = known.inside(For{
      loop.variable, self, lang::binary(format::BinaryOp::add, self, lang::integer(1)), false, {}, {}, {}, 1, {}, {}});
  for (std::size_t k = constraints.size(); k-- > 0;) {
    loop::Context others = free;
    for (std::size_t other = 0; other < constraints.size(); ++other)
      if (other != k) others = others.where(constraints[other]);
    const Affine form = form_of(constraints[k]);
    const bool lower = form.coefficient(loop.variable) > 0;
    const bool last = std::ranges::count_if(constraints, [&](const Constraint& c) {
                        return (form_of(c).coefficient(loop.variable) > 0) == lower;
                      }) == 1;
    if (!last && others.implies(constraints[k]))
      constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(k));
  }
  std::vector<Affine> lows, highs;
  for (const Constraint& c : constraints) {
    const Affine form = form_of(c);
    const std::int64_t factor = form.coefficient(loop.variable);
    const Affine rest = form - Affine::name(loop.variable, factor);
    if (factor > 0) lows.push_back(Affine::div(factor - 1 - rest, factor));  // factor*v + rest >= 0
    else highs.push_back(Affine::div(rest, -factor) + 1);
  }
  loop.low = extremum(format::Function::max, lows, names);
  loop.high = extremum(format::Function::min, highs, names);
  return loop;
}

std::vector<Constraint> eliminate(const std::string& variable, const std::vector<Constraint>& constraints) {
  std::vector<Affine> lower, upper;
  std::vector<Constraint> result;
  const auto add = [&](Constraint c) {
    if (std::ranges::find(result, c) == result.end()) result.push_back(std::move(c));
  };
  for (const Constraint& c : constraints) {
    const Affine form = form_of(c);
    const std::int64_t factor = form.coefficient(variable);
    if (factor == 0) add(c);
    else (factor > 0 ? lower : upper).push_back(form);
  }
  for (const Affine& low : lower)
    for (const Affine& high : upper)
      add({0, Relation::less_equal, -high.coefficient(variable) * low + low.coefficient(variable) * high});
  return result;
}

std::vector<For> with_bounds(std::vector<For> loops, std::vector<Constraint> constraints, const loop::Context& known,
                             const std::vector<std::string>& names) {
  std::vector<std::vector<Constraint>> bounds(loops.size());
  for (std::size_t k = loops.size(); k-- > 0;) {
    bounds[k] = constraints;
    constraints = eliminate(loops[k].variable, constraints);
  }
  loop::Context inner = known;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    loops[k] = with_bounds(loops[k], bounds[k], inner, names);
    inner = inner.inside(loops[k]);
  }
  return loops;
}

Stmt rebuilt(For loop, const Stmt& from) { return Stmt(loop::StmtNode{std::move(loop), from->span}, from.origin()); }

Stmt only_statement(const Stmt& body) {
  Stmt only;
  for (const Stmt& child : body.as<loop::Block>()->statements) {
    if (child.as<loop::Note>()) continue;
    if (only) return {};
    only = child;
  }
  return only;
}

Stmt without(const Stmt& stmt, const std::set<int>& dropped) {
  const auto* b = stmt.as<loop::Block>();
  if (!b)
    return loop::map_children(
        stmt, [&](const Stmt& child) { return without(child, dropped); }, [](const Expr& e) { return e; });
  loop::Block kept;
  bool changed = false;
  for (const Stmt& child : b->statements) {
    Stmt inner = dropped.contains(child.id()) ? Stmt() : without(child, dropped);
    const bool was_changed = !inner || !inner.same(child);
    const auto is_empty = [](const Stmt& body) {
      return std::ranges::all_of(body.as<loop::Block>()->statements, [](const Stmt& s) { return s.as<loop::Note>(); });
    };
    if (inner && was_changed) {
      const auto* f = inner.as<loop::For>();
      const auto* i = inner.as<loop::If>();
      const auto* l = inner.as<loop::Let>();
      if ((f && !f->until && is_empty(f->body)) ||
          (i && is_empty(i->then) && (!i->otherwise || is_empty(*i->otherwise))) || (l && is_empty(l->body)) ||
          (inner.as<loop::Block>() && is_empty(inner)))
        inner = Stmt();
    }
    changed |= was_changed;
    if (inner) kept.statements.push_back(std::move(inner));
  }
  return changed ? Stmt(loop::StmtNode{std::move(kept), stmt->span}, stmt.origin(), stmt.id()) : stmt;
}

}  // namespace trellis::schedule
