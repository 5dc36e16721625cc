#include "engine/loop/expand_reductions.hpp"

#include <algorithm>

#include "engine/loop/isolate.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::ScalarType;
using math::Constraint;

Stmt make(auto node, text::Span span) { return Stmt(StmtNode{std::move(node), span}); }

Expr all_of(Function function, const std::vector<Expr>& bounds) {
  if (bounds.size() == 1) return bounds.front();
  return Expr(lang::ExprNode{lang::Call{function, bounds}, ScalarType::i64, {}});
}

/// The first tensor that the expression reads: a name that says what is reduced.
std::string subject(const Expr& expr) {
  if (const auto* a = expr.as<lang::Access>()) return a->tensor;
  std::string found;
  lang::for_each_child(expr, [&](const Expr& child) {
    if (found.empty()) found = subject(child);
  });
  return found;
}

Expr negation(const Expr& condition) {
  return Expr(
      lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, condition}, ScalarType::boolean, condition->span});
}

}  // namespace

std::string ReductionExpander::fresh(const std::string& base) {
  std::string name = base;
  for (int k = 2; !taken_.insert(name).second; ++k) name = base + "_" + std::to_string(k);
  return name;
}

Expr ReductionExpander::expand(const Expr& expr, Preparation& before) {
  if (const auto* r = expr.as<lang::Reduce>())
    return format::is_arg(r->op) ? choose_index(expr, *r, before) : accumulate(expr, *r, before);
  int child = 0;
  if (const auto* b = expr.as<lang::Binary>(); b && format::is_logical(b->op)) {
    const Expr left = expand(b->left, before);
    const Expr right = expand_guarded(b->right, b->op == BinaryOp::logical_and ? left : negation(left), before);
    return lang::map_children(expr, [&](const Expr&) { return child++ == 0 ? left : right; });
  }
  if (const auto* s = expr.as<lang::Select>()) {
    const Expr condition = expand(s->condition, before);
    const Expr parts[] = {condition, expand_guarded(s->then, condition, before),
                          expand_guarded(s->otherwise, negation(condition), before)};
    return lang::map_children(expr, [&](const Expr&) { return parts[child++]; });
  }
  return lang::map_children(expr, [&](const Expr& inner) { return expand(inner, before); });
}

Expr ReductionExpander::expand_guarded(const Expr& expr, const Expr& condition, Preparation& before) {
  Preparation inside;
  const Expr result = expand(expr, inside);
  before.declarations.insert(before.declarations.end(), inside.declarations.begin(), inside.declarations.end());
  if (!inside.statements.empty())
    before.statements.push_back(make(If{condition, block(std::move(inside.statements)), std::nullopt}, expr->span));
  return result;
}

Expr ReductionExpander::declare(const std::string& base, ScalarType type, text::Span span, Preparation& before) {
  lang::TensorInfo info;
  info.name = fresh(base);
  info.type = type;
  info.fill = format::Value::of(type, 0);
  info.kind = lang::TensorInfo::Kind::temporary;
  info.span = span;
  before.declarations.push_back(make(Declare{info}, span));
  return Expr(lang::ExprNode{lang::Access{info.name, {}, {}}, type, span});
}

Expr ReductionExpander::accumulate(const Expr& expr, const lang::Reduce& reduce, Preparation& before) {
  const std::string what = subject(reduce.body);
  const std::string by =
      reduce.op == ReduceOp::user ? lang::definition_of(reduce.function) : std::string(format::name_of(reduce.op));
  const std::string base = by + "_" + (what.empty() ? reduce.domain.variables.front() : what);
  const Expr result = declare(base, expr->type, expr->span, before);
  Preparation inside;
  const Expr body = expand(reduce.body, inside);
  std::vector<Stmt> steps = std::move(inside.declarations);
  steps.insert(steps.end(), inside.statements.begin(), inside.statements.end());
  const bool user = reduce.op == ReduceOp::user;
  const Expr applied(lang::ExprNode{lang::Apply{reduce.function, {result, body}}, expr->type, expr->span});
  steps.push_back(make(user ? Assign{result, std::nullopt, applied} : Assign{result, reduce.op, body}, expr->span));
  const format::Value start =
      user ? *program_.function(reduce.function)->identity() : format::identity(reduce.op, expr->type);
  before.statements.push_back(make(Assign{result, std::nullopt, lang::constant(start)}, expr->span));
  before.statements.push_back(nest(reduce, std::move(steps), expr->span));
  return result;
}

/// `let v = body { if v < best || at < 0 && v == best { best = v; at = k } }`, with `>` for argmax: the first of equal
/// ones stays, and a not-a-number is no candidate.
Expr ReductionExpander::choose_index(const Expr& expr, const lang::Reduce& reduce, Preparation& before) {
  const std::string variable = reduce.domain.variables.front(), what = subject(reduce.body);
  const std::string base = std::string(format::name_of(reduce.op)) + "_" + (what.empty() ? variable : what);
  const Expr at = declare(base, ScalarType::i64, expr->span, before);
  const Expr best = declare(base + "_best", reduce.body->type, expr->span, before);
  Preparation inside;
  const Expr body = expand(reduce.body, inside);
  const std::string name = fresh("v");
  const Expr value(lang::ExprNode{lang::Variable{name}, body->type, body->span});
  const Expr first = lang::binary(BinaryOp::logical_and, lang::binary(BinaryOp::less, at, lang::integer(0)),
                                  lang::binary(BinaryOp::equal, value, best));
  const Expr better = lang::binary(reduce.op == ReduceOp::argmin ? BinaryOp::less : BinaryOp::greater, value, best);
  const Stmt take = block({make(Assign{best, std::nullopt, value}, expr->span),
                           make(Assign{at, std::nullopt, lang::variable(variable)}, expr->span)});
  const Stmt compare = make(If{lang::binary(BinaryOp::logical_or, better, first), take, std::nullopt}, expr->span);
  std::vector<Stmt> steps = std::move(inside.declarations);
  steps.insert(steps.end(), inside.statements.begin(), inside.statements.end());
  steps.push_back(make(Let{name, body, block({compare})}, expr->span));
  before.statements.push_back(make(Assign{at, std::nullopt, lang::integer(-1)}, expr->span));
  before.statements.push_back(
      make(Assign{best, std::nullopt, lang::constant(format::worst(reduce.op, best->type))}, expr->span));
  before.statements.push_back(nest(reduce, std::move(steps), expr->span));
  return at;
}

/// Loops over the domain's points around `body`: each variable between those bounds that know only what stands before
/// it, the other constraints as conditions.
Stmt ReductionExpander::nest(const lang::Reduce& reduce, std::vector<Stmt> body, text::Span span) const {
  const std::vector<std::string>& variables = reduce.domain.variables;
  const auto position = [&](const Constraint& c) {  // of the innermost variable that it names; -1: none
    std::ptrdiff_t last = -1;
    for (std::size_t k = 0; k < variables.size(); ++k)
      if (c.mentions(variables[k])) last = static_cast<std::ptrdiff_t>(k);
    return last;
  };
  std::set<std::string> names;
  for (const Constraint& c : reduce.domain.constraints) {
    c.left.collect_names(names);
    c.right.collect_names(names);
  }
  std::vector<std::string> bound;  // every name that is no parameter is a variable
  for (const std::string& name : names)
    if (!program_.parameter(name)) bound.push_back(name);
  const auto guarded = [&](std::vector<Stmt> inner, const std::vector<Constraint>& conditions) {
    for (auto c = conditions.rbegin(); c != conditions.rend(); ++c)
      inner = {make(If{lang::to_expr(*c, bound), block(std::move(inner)), std::nullopt}, span)};
    return inner;
  };
  for (std::ptrdiff_t k = std::ssize(variables) - 1; k >= 0; --k) {
    std::vector<Expr> low, high;
    std::vector<Constraint> conditions;
    for (const Constraint& c : reduce.domain.constraints) {
      if (position(c) != k) continue;
      const auto interval = isolate(c, variables[static_cast<std::size_t>(k)]);
      if (!interval) conditions.push_back(c);
      else if (interval->low) low.push_back(lang::to_expr(*interval->low, bound));
      if (interval && interval->high) high.push_back(lang::to_expr(*interval->high, bound));
    }
    For f{variables[static_cast<std::size_t>(k)],
          all_of(Function::max, low),
          all_of(Function::min, high),
          false,
          For::Kind::serial,
          {},
          For::Execution::serial,
          1,
          block(guarded(std::move(body), conditions)),
          {}};
    body = {make(std::move(f), span)};
  }
  std::vector<Constraint> outer;
  for (const Constraint& c : reduce.domain.constraints)
    if (position(c) < 0) outer.push_back(c);
  body = guarded(std::move(body), outer);
  return body.size() == 1 ? body.front() : block(std::move(body));
}

}  // namespace trellis::loop
