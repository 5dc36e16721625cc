#include "engine/results/element_updates.hpp"

namespace trellis::results {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using loop::Expr;

namespace {

Expr made(auto node, const Expr& from) {
  return Expr(lang::ExprNode{std::move(node), from->type, from->span}, from.origin());
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

}  // namespace trellis::results
