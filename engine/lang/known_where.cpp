#include "engine/lang/known_where.hpp"

#include <algorithm>

namespace trellis::lang {

using math::Constraint;
using math::Relation;

namespace {

std::vector<Constraint> both(std::vector<Constraint> some, const std::vector<Constraint>& more) {
  for (const Constraint& c : more)
    if (std::ranges::find(some, c) == some.end()) some.push_back(c);
  return some;
}

const Expr* denied(const Expr& condition) {
  const auto* u = condition.as<Unary>();
  return u && u->op == format::UnaryOp::logical_not ? &u->operand : nullptr;
}

}  // namespace

Constraint negated(const Constraint& constraint) {
  Constraint opposite = constraint;
  switch (constraint.relation) {
    case Relation::less: opposite.relation = Relation::greater_equal; break;
    case Relation::less_equal: opposite.relation = Relation::greater; break;
    case Relation::equal: opposite.relation = Relation::not_equal; break;
    case Relation::not_equal: opposite.relation = Relation::equal; break;
    case Relation::greater_equal: opposite.relation = Relation::less; break;
    case Relation::greater: opposite.relation = Relation::less_equal; break;
  }
  return opposite;
}

std::vector<Constraint> known_where(const Expr& condition) {
  if (auto all = affine_condition(condition)) return *all;
  if (const Expr* other = denied(condition)) return known_where_not(*other);
  const auto* b = condition.as<Binary>();
  if (!b || b->op != format::BinaryOp::logical_and) return {};
  return both(known_where(b->left), known_where(b->right));
}

std::vector<Constraint> known_where_not(const Expr& condition) {
  if (const auto all = affine_condition(condition))
    return all->size() == 1 ? std::vector{negated(all->front())} : std::vector<Constraint>{};
  if (const Expr* other = denied(condition)) return known_where(*other);
  const auto* b = condition.as<Binary>();
  if (!b || b->op != format::BinaryOp::logical_or) return {};
  return both(known_where_not(b->left), known_where_not(b->right));
}

}  // namespace trellis::lang
