// Between expressions and the quasi-affine forms of math/.

#include "engine/lang/expr.hpp"
#include "engine/math/limits.hpp"
#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using format::BinaryOp;
using format::ScalarType;
using math::Affine;

namespace {

/// Sizes alone, whose products are names (math/sizes.hpp).
bool has_variables(const Expr& e) {
  bool found = e.as<Variable>() != nullptr;
  for_each_child(e, [&](const Expr& child) { found = found || has_variables(child); });
  return found;
}

std::optional<Affine> affine_product(const Binary& e, const Affine& a, const Affine& b) {
  if (!a.is_constant() && !b.is_constant() && (has_variables(e.left) || has_variables(e.right))) return std::nullopt;
  const bool fits =
      a.is_constant() ? math::within_limits(a.constant, b) : !b.is_constant() || math::within_limits(b.constant, a);
  return fits ? math::product(a, b) : std::nullopt;
}

std::optional<Affine> affine_binary(const Binary& b) {
  auto left = affine(b.left);
  if (!left) return std::nullopt;
  auto right = affine(b.right);
  if (!right) return std::nullopt;
  const bool positive_constant = right->is_constant() && right->constant > 0;
  switch (b.op) {
    case BinaryOp::add: return *left + *right;
    case BinaryOp::subtract: return *left - *right;
    case BinaryOp::multiply: return affine_product(b, *left, *right);
    case BinaryOp::divide:
      if (positive_constant) return Affine::div(*left, right->constant);
      break;
    case BinaryOp::modulo:
      if (positive_constant) return Affine::mod(*left, right->constant);
      break;
    default: break;
  }
  return std::nullopt;
}

std::optional<math::Relation> relation(BinaryOp op) {
  switch (op) {
    case BinaryOp::equal: return math::Relation::equal;
    case BinaryOp::not_equal: return math::Relation::not_equal;
    case BinaryOp::less: return math::Relation::less;
    case BinaryOp::less_equal: return math::Relation::less_equal;
    case BinaryOp::greater: return math::Relation::greater;
    case BinaryOp::greater_equal: return math::Relation::greater_equal;
    default: return std::nullopt;
  }
}

BinaryOp comparison(math::Relation relation) {
  switch (relation) {
    case math::Relation::less: return BinaryOp::less;
    case math::Relation::less_equal: return BinaryOp::less_equal;
    case math::Relation::equal: return BinaryOp::equal;
    case math::Relation::not_equal: return BinaryOp::not_equal;
    case math::Relation::greater_equal: return BinaryOp::greater_equal;
    case math::Relation::greater: return BinaryOp::greater;
  }
  return BinaryOp::equal;
}

Expr name_expr(const std::string& name, const std::vector<std::string>& variables) {
  if (contains(variables, name)) return variable(name);
  if (math::is_product(name)) {
    Expr all;
    for (const std::string& factor : math::factors_of(name)) {
      const Expr one = name_expr(factor, variables);
      all = all ? binary(BinaryOp::multiply, all, one) : one;
    }
    return all;
  }
  return Expr(ExprNode{Parameter{name}, ScalarType::i64, {}});
}

/// Collects signed summands so that `n - 1` is not built as `n + -1`.
class SumBuilder {
 public:
  void add(std::int64_t coefficient, const Expr& factor) {
    const bool negative = coefficient < 0;
    // The magnitude of the most negative coefficient has no i64; it stays a negative factor.
    const bool flips = negative && sum_ && coefficient != INT64_MIN;
    const std::int64_t shown = flips ? -coefficient : coefficient;
    append(flips, shown == 1 ? factor : binary(BinaryOp::multiply, integer(shown), factor));
  }
  void add_constant(std::int64_t value) {
    if (value == 0 && sum_) return;
    const bool flips = value < 0 && sum_ && value != INT64_MIN;
    append(flips, integer(flips ? -value : value));
  }
  Expr take() { return sum_ ? sum_ : integer(0); }

 private:
  void append(bool subtract, Expr term) {
    sum_ = sum_ ? binary(subtract ? BinaryOp::subtract : BinaryOp::add, sum_, term) : term;
  }
  Expr sum_;
};

}  // namespace

namespace {

std::optional<Affine> form_of(const Expr& expr) {
  if (expr->type != ScalarType::i64) return std::nullopt;
  if (const auto* c = expr.as<Constant>()) return Affine(c->value.integer);
  if (const auto* v = expr.as<Variable>()) return Affine::name(v->name);
  if (const auto* p = expr.as<Parameter>()) return Affine::name(p->name);
  if (const auto* b = expr.as<Binary>()) return affine_binary(*b);
  if (const auto* u = expr.as<Unary>(); u && u->op == format::UnaryOp::negate)
    if (auto operand = affine(u->operand)) return -*operand;
  return std::nullopt;
}

}  // namespace

std::optional<Affine> affine(const Expr& expr) {
  const std::optional<Affine> form = form_of(expr);
  return form && math::within_limits(*form) ? form : std::nullopt;
}

Expr to_expr(const Affine& form, const std::vector<std::string>& variables) {
  SumBuilder sum;
  auto add_terms = [&](bool positive) {
    for (const auto& [name, coefficient] : form.terms)
      if ((coefficient > 0) == positive) sum.add(coefficient, name_expr(name, variables));
  };
  add_terms(true);
  add_terms(false);
  for (const math::Quotient& q : form.quotients) {
    const BinaryOp op = q.kind == math::Quotient::Kind::div ? BinaryOp::divide : BinaryOp::modulo;
    sum.add(q.coefficient, binary(op, to_expr(*q.numerator, variables), integer(q.divisor)));
  }
  sum.add_constant(form.constant);
  return sum.take();
}

std::optional<std::vector<math::Constraint>> affine_condition(const Expr& condition) {
  if (const auto* c = condition.as<Constant>(); c && c->value.is_true()) return std::vector<math::Constraint>{};
  const auto* b = condition.as<Binary>();
  if (!b) return std::nullopt;
  if (b->op == BinaryOp::logical_and) {
    auto left = affine_condition(b->left);
    auto right = affine_condition(b->right);
    if (!left || !right) return std::nullopt;
    left->insert(left->end(), right->begin(), right->end());
    return left;
  }
  auto rel = relation(b->op);
  if (!rel) return std::nullopt;
  auto left = affine(b->left);
  auto right = affine(b->right);
  if (!left || !right) return std::nullopt;
  return std::vector<math::Constraint>{{*left, *rel, *right}};
}

Expr to_expr(const math::Constraint& constraint, const std::vector<std::string>& variables) {
  return binary(comparison(constraint.relation), to_expr(constraint.left, variables),
                to_expr(constraint.right, variables));
}

}  // namespace trellis::lang
