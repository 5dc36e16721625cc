#include "engine/loop/context.hpp"

#include <set>

#include "engine/lang/known_where.hpp"
#include "engine/math/cancel_digits.hpp"

namespace trellis::loop {

using format::BinaryOp;
using math::Affine;
using math::Constraint;
using math::Relation;

Context Context::where(const Constraint& constraint) const {
  Context inner = *this;
  inner.known_.constraints.push_back(constraint);
  return inner;
}

Context Context::with(const std::vector<Constraint>& more) const {
  Context inner = *this;
  inner.known_.constraints.insert(inner.known_.constraints.end(), more.begin(), more.end());
  return inner;
}

Context Context::where(const Expr& condition) const { return with(lang::known_where(condition)); }

Context Context::where_not(const Expr& condition) const { return with(lang::known_where_not(condition)); }

Context Context::inside(const For& loop) const {
  Context inner = *this;
  inner.known_.variables.push_back(loop.variable);
  const Affine variable = Affine::name(loop.variable);
  for (const Affine& low : alternatives(loop.low, format::Function::max)) {
    inner.known_.constraints.push_back({low, Relation::less_equal, variable});
  }
  for (const Affine& high : alternatives(loop.high, format::Function::min)) {
    inner.known_.constraints.push_back({variable, Relation::less, high});
  }
  return inner;
}

Context Context::inside(const Let& let) const {
  Context inner = *this;
  inner.known_.variables.push_back(let.name);
  if (auto value = lang::affine(let.value)) {
    inner.known_.constraints.push_back({Affine::name(let.name), Relation::equal, *value});
  }
  return inner;
}

Context Context::within(const Stmt& stmt, bool first_body) const {
  if (auto* f = stmt.as<For>()) return inside(*f);
  if (auto* l = stmt.as<Let>()) return inside(*l);
  if (auto* w = stmt.as<While>()) return where(w->condition);
  if (auto* i = stmt.as<If>()) return first_body ? where(i->condition) : where_not(i->condition);
  return *this;
}

bool Context::implies(const Constraint& constraint) const { return solver_->implies(known_, constraint); }

std::optional<bool> Context::decide(const Constraint& constraint) const {
  if (implies(constraint)) return true;
  if (implies(lang::negated(constraint))) return false;
  return std::nullopt;
}

std::optional<bool> Context::decide(const Expr& comparison) const {
  auto* binary = comparison.as<lang::Binary>();
  if (!binary || !format::is_comparison(binary->op)) return std::nullopt;
  auto constraints = lang::affine_condition(comparison);
  return constraints && constraints->size() == 1 ? decide(constraints->front()) : std::nullopt;
}

bool Context::at_most(const Affine& a, const Affine& b) const { return implies({a, Relation::less_equal, b}); }

Affine cancel_digits(const Affine& form, const Context& known) {
  return math::cancel_digits(form, [&](const Affine& rest, std::int64_t divisor) {
    return known.at_most(0, rest) && known.implies({rest, Relation::less, divisor});
  });
}

namespace {

/// `size*name <= …`, the begin of a tile: both; else nothing.
std::optional<std::pair<std::string, std::int64_t>> begin_of_tile(const Constraint& c) {
  const Affine& begin = c.left;
  const bool one = begin.terms.size() == 1 && begin.quotients.empty() && begin.constant == 0;
  if (c.relation != Relation::less_equal || !one || begin.terms[0].second < 2) return std::nullopt;
  return begin.terms[0];
}

std::optional<Affine> digit_of_tile(const math::Quotient& q, const Context& known) {
  for (const Constraint& c : known.domain().constraints) {
    const auto tile = begin_of_tile(c);
    if (!tile || q.divisor % tile->second != 0) continue;
    const Affine rest = *q.numerator - c.left;
    if (!known.at_most(0, rest) || !known.implies({rest, Relation::less, tile->second})) continue;
    const Affine digit = Affine::div(Affine::name(tile->first), q.divisor / tile->second);
    return q.kind == math::Quotient::Kind::div ? digit : *q.numerator - q.divisor * digit;
  }
  return std::nullopt;
}

}  // namespace

Affine digits_of_tiles(const Affine& form, const Context& known) {
  Affine result = form;
  result.quotients.clear();
  for (const math::Quotient& q : form.quotients) {
    if (const auto digit = digit_of_tile(q, known)) result = result + q.coefficient * *digit;
    else result.quotients.push_back(q);
  }
  return result;
}

std::vector<Expr> conjuncts(const Expr& condition) {
  auto* both = condition.as<lang::Binary>();
  if (!both || both->op != BinaryOp::logical_and) return {condition};
  std::vector<Expr> parts = conjuncts(both->left);
  for (Expr& part : conjuncts(both->right)) parts.push_back(std::move(part));
  return parts;
}

Expr conjunction(const std::vector<Expr>& conditions) {
  if (conditions.empty()) return lang::constant(format::Value::truth(true));
  Expr all = conditions.front();
  for (std::size_t k = 1; k < conditions.size(); ++k) all = lang::binary(BinaryOp::logical_and, all, conditions[k]);
  return all;
}

std::vector<Expr> arguments(const Expr& bound, format::Function function) {
  auto* call = bound.as<lang::Call>();
  if (!call || call->function != function) return {bound};
  std::vector<Expr> all;
  for (const Expr& argument : call->arguments) {
    const std::vector<Expr> inner = arguments(argument, function);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

std::vector<Affine> alternatives(const Expr& bound, format::Function function) {
  std::vector<Affine> all;
  for (const Expr& argument : arguments(bound, function))
    if (auto affine = lang::affine(argument)) all.push_back(*affine);
  return all;
}

bool may_fault(const Expr& expr) {
  if (auto* b = expr.as<lang::Binary>();
      b && (b->op == BinaryOp::divide || b->op == BinaryOp::modulo) && format::is_integer(expr->type)) {
    auto* divisor = b->right.as<lang::Constant>();
    if (!divisor || divisor->value.integer == 0 || divisor->value.integer == -1) return true;
  }
  if (auto* a = expr.as<lang::Access>()) {
    for (const Expr& index : a->indices) {
      if (!lang::affine(index)) return true;
    }
  }
  bool found = false;
  lang::for_each_child(expr, [&](const Expr& child) { found = found || may_fault(child); });
  return found;
}

namespace {

void collect_tensors(const Expr& expr, std::set<std::string>& into) {
  if (auto* a = expr.as<lang::Access>()) into.insert(a->tensor);
  lang::for_each_child(expr, [&](const Expr& child) { collect_tensors(child, into); });
}

}  // namespace

bool writes_what_reads(const Stmt& stmt, const Expr& expr) {
  std::set<std::string> read;
  collect_tensors(expr, read);
  bool found = false;
  if (read.empty()) return found;
  for_each(stmt, [&](const Stmt& inner) {
    if (auto* a = inner.as<Assign>()) found = found || read.contains(a->target.as<lang::Access>()->tensor);
    if (auto* r = inner.as<Reset>()) found = found || read.contains(r->tensor);
  });
  return found;
}

}  // namespace trellis::loop
