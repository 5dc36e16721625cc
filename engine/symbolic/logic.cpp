#include "engine/symbolic/logic.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::symbolic {
namespace {

using format::BinaryOp;
using lang::Expr;

bool is_constant(const Expr& condition, bool value) {
  const auto* c = condition.as<lang::Constant>();
  return c && c->value.is_true() == value;
}

void flatten(BinaryOp op, const Expr& condition, std::vector<Expr>& into) {
  const auto* b = condition.as<lang::Binary>();
  if (!b || b->op != op) return add_once(into, condition);
  flatten(op, b->left, into);
  flatten(op, b->right, into);
}

std::vector<Expr> operands_of(BinaryOp op, const Expr& condition) {
  std::vector<Expr> found;
  flatten(op, condition, found);
  return found;
}

bool includes(const std::vector<Expr>& larger, const std::vector<Expr>& smaller) {
  return std::ranges::all_of(smaller, [&](const Expr& one) { return contains(larger, one); });
}

/// Joined by `op`, whose operands are absorbed by those that `other` joins from fewer of the same parts.
Expr joined(BinaryOp op, BinaryOp other, const std::vector<Expr>& conditions) {
  const bool neutral = op == BinaryOp::logical_and;
  std::vector<Expr> operands;
  for (const Expr& condition : conditions) flatten(op, condition, operands);
  if (std::ranges::any_of(operands, [&](const Expr& e) { return is_constant(e, !neutral); })) return truth(!neutral);
  std::erase_if(operands, [&](const Expr& e) { return is_constant(e, neutral); });
  std::vector<Expr> kept;
  for (const Expr& one : operands) {
    const std::vector<Expr> parts = operands_of(other, one);
    const bool absorbed = std::ranges::any_of(operands, [&](const Expr& by) {
      const std::vector<Expr> fewer = operands_of(other, by);
      return fewer.size() < parts.size() && includes(parts, fewer);
    });
    if (!absorbed) kept.push_back(one);
  }
  if (kept.empty()) return truth(neutral);
  Expr result = kept.front();
  for (std::size_t k = 1; k < kept.size(); ++k) result = lang::binary(op, result, kept[k]);
  return result;
}

}  // namespace

Expr truth(bool value) { return lang::constant(format::Value::truth(value)); }
bool is_true(const Expr& condition) { return is_constant(condition, true); }
bool is_false(const Expr& condition) { return is_constant(condition, false); }

Expr all_of(const std::vector<Expr>& conditions) {
  return joined(BinaryOp::logical_and, BinaryOp::logical_or, conditions);
}
Expr any_of(const std::vector<Expr>& conditions) {
  return joined(BinaryOp::logical_or, BinaryOp::logical_and, conditions);
}

std::vector<Expr> conjuncts(const Expr& condition) { return operands_of(BinaryOp::logical_and, condition); }
std::vector<Expr> disjuncts(const Expr& condition) { return operands_of(BinaryOp::logical_or, condition); }

}  // namespace trellis::symbolic
