#include "engine/loop/conditional_reads.hpp"

#include "engine/loop/effects.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;

std::vector<Expr> both_of(std::vector<Expr> first, const std::vector<Expr>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Expr* negated_operand(const Expr& condition) {
  const auto* u = condition.as<lang::Unary>();
  return u && u->op == format::UnaryOp::logical_not ? &u->operand : nullptr;
}

class ReadWalk {
 public:
  ReadWalk(const std::set<std::string>& tensors, const std::function<void(const ConditionalRead&)>& visit)
      : tensors_(tensors), visit_(visit) {}

  void walk(const Stmt& stmt) {
    if (is_write(stmt) && meet(effects(stmt).writes, tensors_)) return;
    if (const auto* i = stmt.as<If>()) {
      walk(i->condition);
      under(truths(i->condition), [&] { walk(i->then); });
      if (i->otherwise) under(falsehoods(i->condition), [&] { walk(*i->otherwise); });
      return;
    }
    if (const auto* a = stmt.as<Assign>()) {
      for (const Expr& index : a->target.as<lang::Access>()->indices) walk(index);
      return walk(a->value);
    }
    const bool around = stmt.as<For>() || stmt.as<While>() || stmt.as<Let>();
    if (around) loops_.push_back(stmt);
    for_each_child(
        stmt, [&](const Stmt& child) { walk(child); }, [&](const Expr& expr) { walk(expr); });
    if (around) loops_.pop_back();
  }

 private:
  template <class F>
  void under(const std::vector<Expr>& conditions, F&& inside) {
    const std::size_t outside = conditions_.size();
    conditions_.insert(conditions_.end(), conditions.begin(), conditions.end());
    inside();
    conditions_.resize(outside);
  }

  void walk(const Expr& expr) {
    if (const auto* s = expr.as<lang::Select>()) {
      walk(s->condition);
      under(truths(s->condition), [&] { walk(s->then); });
      return under(falsehoods(s->condition), [&] { walk(s->otherwise); });
    }
    if (const auto* b = expr.as<lang::Binary>(); b && format::is_logical(b->op)) {
      walk(b->left);
      return under(b->op == BinaryOp::logical_and ? truths(b->left) : falsehoods(b->left), [&] { walk(b->right); });
    }
    if (const auto* a = expr.as<lang::Access>(); a && tensors_.contains(a->tensor)) visit_({expr, conditions_, loops_});
    lang::for_each_child(expr, [&](const Expr& child) { walk(child); });
  }

  const std::set<std::string>& tensors_;
  const std::function<void(const ConditionalRead&)>& visit_;
  std::vector<Expr> conditions_;
  std::vector<Stmt> loops_;
};

}  // namespace

void for_each_conditional_read(const Stmt& stmt, const std::set<std::string>& tensors,
                               const std::function<void(const ConditionalRead&)>& visit) {
  ReadWalk(tensors, visit).walk(stmt);
}

std::vector<Expr> truths(const Expr& condition) {
  if (const Expr* operand = negated_operand(condition)) return falsehoods(*operand);
  const auto* b = condition.as<lang::Binary>();
  if (b && b->op == BinaryOp::logical_and) return both_of(truths(b->left), truths(b->right));
  return {condition};
}

std::vector<Expr> falsehoods(const Expr& condition) {
  if (const Expr* operand = negated_operand(condition)) return truths(*operand);
  const auto* b = condition.as<lang::Binary>();
  if (b && b->op == BinaryOp::logical_or) return both_of(falsehoods(b->left), falsehoods(b->right));
  lang::Unary opposite{format::UnaryOp::logical_not, condition};
  return {simplify(Expr(lang::ExprNode{std::move(opposite), condition->type, condition->span}))};
}

bool is_write(const Stmt& stmt) { return stmt.as<Assign>() || stmt.as<Reset>() || stmt.as<Let>(); }

}  // namespace trellis::loop
