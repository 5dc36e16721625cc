#include "engine/schedule/element_updates.hpp"

#include "engine/loop/instead_of.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using loop::Expr;
using loop::Stmt;

namespace {

Expr made(auto node, const Expr& from) {
  return Expr(lang::ExprNode{std::move(node), from->type, from->span}, from.origin());
}

/// The operation of an expression over two operands, and the operands.
struct Combination {
  ReduceOp op;
  Expr left, right;
};

std::optional<Combination> combination(const Expr& e) {
  const bool boolean = format::is_boolean(e->type);
  if (const auto* c = e.as<lang::Call>(); c && c->arguments.size() == 2) {
    if (c->function != Function::min && c->function != Function::max) return std::nullopt;
    return Combination{c->function == Function::min ? ReduceOp::min : ReduceOp::max, c->arguments[0], c->arguments[1]};
  }
  const auto* b = e.as<lang::Binary>();
  if (!b || b->left->type != e->type || b->right->type != e->type) return std::nullopt;
  const auto by = [&](ReduceOp op) { return std::optional(Combination{op, b->left, b->right}); };
  switch (b->op) {
    case BinaryOp::add: return by(ReduceOp::sum);
    case BinaryOp::multiply: return by(ReduceOp::prod);
    case BinaryOp::logical_or: return boolean ? by(ReduceOp::any) : std::nullopt;
    case BinaryOp::logical_and: return boolean ? by(ReduceOp::all) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<loop::Assign> as_update(const loop::Assign& a, const std::string& tensor) {
  const auto& target = *a.target.as<lang::Access>();
  if (a.op || target.tensor != tensor) return std::nullopt;
  const auto is_old = [&](const Expr& e) { return e == a.target; };
  const auto* b = a.value.as<lang::Binary>();
  if (b && b->op == BinaryOp::subtract && is_old(b->left) && !mentions(b->right, tensor))
    return loop::Assign{a.target, ReduceOp::sum, made(lang::Unary{format::UnaryOp::negate, b->right}, b->right)};
  const auto both = combination(a.value);
  if (!both) return std::nullopt;
  if (is_old(both->left) && !mentions(both->right, tensor)) return loop::Assign{a.target, both->op, both->right};
  if (is_old(both->right) && !mentions(both->left, tensor)) return loop::Assign{a.target, both->op, both->left};
  return std::nullopt;
}

}  // namespace

std::optional<Expr> updated(ReduceOp op, const Expr& old, const Expr& value) {
  const bool boolean = format::is_boolean(old->type);
  switch (op) {
    case ReduceOp::sum: return lang::binary(boolean ? BinaryOp::logical_or : BinaryOp::add, old, value);
    case ReduceOp::prod: return lang::binary(boolean ? BinaryOp::logical_and : BinaryOp::multiply, old, value);
    case ReduceOp::any: return lang::binary(BinaryOp::logical_or, old, value);
    case ReduceOp::all: return lang::binary(BinaryOp::logical_and, old, value);
    case ReduceOp::min: return made(lang::Call{Function::min, {old, value}}, value);
    case ReduceOp::max: return made(lang::Call{Function::max, {old, value}}, value);
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  return std::nullopt;
}

Stmt with_updates(const Stmt& loops, const std::string& tensor) {
  const auto* a = loops.as<loop::Assign>();
  if (const auto update = a ? as_update(*a, tensor) : std::nullopt) return loop::instead_of(loops, *update);
  return loop::map_children(
      loops, [&](const Stmt& child) { return with_updates(child, tensor); }, [](const Expr& e) { return e; });
}

}  // namespace trellis::schedule
