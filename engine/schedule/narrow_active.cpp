// The steps in which a strip does anything: what its bounds and conditions say about the step, by Fourier and Motzkin's
// elimination of the loops inside. Steps too many are harmless.
#include <algorithm>

#include "engine/loop/simplify_expressions.hpp"
#include "engine/schedule/narrow_strips.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

namespace {

using format::BinaryOp;
using format::Function;
using loop::Assign;
using loop::Block;
using loop::For;
using loop::If;
using loop::Let;
using loop::Stmt;
using math::Affine;
using math::Relation;

/// Forms that are not negative.
using Forms = std::vector<Affine>;

/// Of max(a, b, …) or min(a, b, …) the operands.
void terms_of(const Expr& e, Function function, std::vector<Affine>& into) {
  if (const auto* call = e.as<lang::Call>(); call && call->function == function) {
    for (const Expr& argument : call->arguments) terms_of(argument, function, into);
  } else if (const auto form = lang::affine(e)) {
    into.push_back(*form);
  }
}

void add_condition(const Expr& condition, Forms& forms) {
  const auto* b = condition.as<lang::Binary>();
  if (b && b->op == BinaryOp::logical_and) return add_condition(b->left, forms), add_condition(b->right, forms);
  if (b && (b->op == BinaryOp::less || b->op == BinaryOp::less_equal)) {  // of max(…) on the left each, and of min(…)
    Forms lows, highs;
    terms_of(b->left, Function::max, lows);
    terms_of(b->right, Function::min, highs);
    const Affine apart(b->op == BinaryOp::less ? 1 : 0);
    for (const Affine& low : lows)
      for (const Affine& high : highs) forms.push_back(high - low - apart);
    return;
  }
  for (const math::Constraint& c : lang::affine_condition(condition).value_or(std::vector<math::Constraint>())) {
    const Affine more = c.right - c.left, less = c.left - c.right;
    if (c.relation == Relation::less) forms.push_back(more - Affine(1));
    if (c.relation == Relation::less_equal || c.relation == Relation::equal) forms.push_back(more);
    if (c.relation == Relation::greater_equal || c.relation == Relation::equal) forms.push_back(less);
    if (c.relation == Relation::greater) forms.push_back(less - Affine(1));
  }
}

bool in_quotients(const Affine& form, const std::string& name) {
  return form.mentions(name) && form.coefficient(name) == 0;
}

/// What holds whatever the variable is.
Forms without(const Forms& forms, const std::string& variable) {
  Forms result;
  for (const Affine& lower : forms) {
    const std::int64_t p = lower.coefficient(variable);
    if (!lower.mentions(variable)) add_once(result, lower);
    if (p <= 0 || (lower - Affine::name(variable, p)).mentions(variable)) continue;
    for (const Affine& upper : forms) {
      const std::int64_t q = -upper.coefficient(variable);
      if (q > 0 && !(upper + Affine::name(variable, q)).mentions(variable)) add_once(result, q * lower + p * upper);
    }
  }
  return result;
}

void collect(const Stmt& stmt, Forms forms, std::vector<std::string> inner, std::vector<Forms>& leaves) {
  if (const auto* b = stmt.as<Block>()) {
    for (const Stmt& child : b->statements) collect(child, forms, inner, leaves);
  } else if (const auto* f = stmt.as<For>()) {
    Forms lows, highs;
    terms_of(f->low, Function::max, lows);
    terms_of(f->high, Function::min, highs);
    for (const Affine& low : lows) forms.push_back(Affine::name(f->variable) - low);
    for (const Affine& high : highs) forms.push_back(high - Affine::name(f->variable) - Affine(1));
    inner.push_back(f->variable);
    collect(f->body, std::move(forms), std::move(inner), leaves);
  } else if (const auto* i = stmt.as<If>()) {
    if (i->otherwise) collect(*i->otherwise, forms, inner, leaves);
    add_condition(i->condition, forms);
    collect(i->then, std::move(forms), std::move(inner), leaves);
  } else if (const auto* l = stmt.as<Let>()) {
    inner.push_back(l->name);
    collect(l->body, std::move(forms), std::move(inner), leaves);
  } else if (stmt.as<Assign>()) {
    while (!inner.empty()) {
      forms = without(forms, inner.back());
      inner.pop_back();
    }
    add_once(leaves, forms);
  }
}

Expr choice(const std::optional<Expr>& condition, const Expr& then, const Expr& otherwise) {
  if (!condition) return then;
  return Expr(lang::ExprNode{lang::Select{*condition, then, otherwise}, format::ScalarType::i64, {}});
}

std::vector<std::string> variables_of(const Stmt& stmt) {
  std::vector<std::string> all;
  loop::for_each(stmt, [&](const Stmt& s) {
    loop::for_each_child(
        s, [](const Stmt&) {},
        [&](const Expr& e) {
          for (const std::string& name : lang::free_variables(e)) add_once(all, name);
        });
  });
  return all;
}

}  // namespace

Interval ColumnStrips::active(const Stmt& step, const Expr& first, const Expr& end) const {
  const std::string& counted = steps_.as<For>()->variable;
  const std::vector<std::string> variables = variables_of(step);
  std::vector<Forms> leaves;
  collect(step, {}, {}, leaves);
  std::optional<Interval> all;
  for (const Forms& forms : leaves) {
    Expr low = first, high = end;
    std::optional<Expr> guard;
    for (const Affine& form : forms) {
      const std::int64_t k = form.coefficient(counted);
      const Affine rest = form - Affine::name(counted, k);
      if (in_quotients(form, counted) || rest.mentions(counted)) continue;
      const bool certain =
          rest.quotients.empty() && rest.constant >= 0 &&
          std::ranges::all_of(rest.terms, [&](const auto& term) { return term.first == variable_ && term.second > 0; });
      if (k == 0 && certain) continue;
      const auto said = [&](const Affine& a) { return lang::to_expr(a, variables); };
      if (k > 0) low = greater(low, said(-Affine::div(rest, k)));
      if (k < 0) high = lesser(high, said(Affine::div(rest, -k) + Affine(1)));
      if (k != 0) continue;
      const Expr holds = lang::binary(BinaryOp::less_equal, lang::integer(0), said(rest));
      guard = guard ? lang::binary(BinaryOp::logical_and, *guard, holds) : holds;
    }
    const Interval one{choice(guard, low, end), choice(guard, high, first)};
    all = all ? Interval{lesser(all->low, one.low), greater(all->high, one.high)} : one;
  }
  return all.value_or(Interval{first, first});
}

}  // namespace trellis::schedule
