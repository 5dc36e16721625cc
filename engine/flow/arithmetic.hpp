#pragma once
// Integer expressions and small statements for passes that make many of them.

#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow::making {

inline Expr binary(format::BinaryOp op, Expr a, Expr b, format::ScalarType type = format::ScalarType::i64) {
  return Expr(ExprNode{Binary{op, std::move(a), std::move(b)}, type, {}});
}
inline Expr plus(Expr a, Expr b) {
  if (is_zero(b)) return a;
  return is_zero(a) ? b : binary(format::BinaryOp::add, std::move(a), std::move(b));
}
inline Expr minus(Expr a, Expr b) {
  return is_zero(b) ? a : binary(format::BinaryOp::subtract, std::move(a), std::move(b));
}
inline Expr times(Expr a, std::int64_t b) { return binary(format::BinaryOp::multiply, std::move(a), integer(b)); }
inline Expr divided(Expr a, std::int64_t b) { return binary(format::BinaryOp::divide, std::move(a), integer(b)); }
inline Expr test(format::BinaryOp op, Expr a, Expr b) {
  return binary(op, std::move(a), std::move(b), format::ScalarType::boolean);
}
inline Expr conjunction(Expr a, Expr b) { return test(format::BinaryOp::logical_and, std::move(a), std::move(b)); }
inline Expr disjunction(Expr a, Expr b) { return test(format::BinaryOp::logical_or, std::move(a), std::move(b)); }
inline Expr negation(Expr a) {
  return Expr(ExprNode{Unary{format::UnaryOp::logical_not, std::move(a)}, format::ScalarType::boolean, {}});
}
inline Expr least(Expr a, Expr b) {
  return Expr(ExprNode{Call{format::Function::min, {std::move(a), std::move(b)}}, format::ScalarType::i64, {}});
}
inline Expr greatest(Expr a, Expr b) {
  return Expr(ExprNode{Call{format::Function::max, {std::move(a), std::move(b)}}, format::ScalarType::i64, {}});
}
inline Expr cast(Expr a, format::ScalarType type) { return Expr(ExprNode{Cast{std::move(a)}, type, {}}); }

/// The element of a dense tensor.
inline Position element(const std::string& tensor, const std::vector<Expr>& at) {
  Position position = root();
  for (std::size_t level = 0; level < at.size(); ++level)
    position = Position(PositionNode{Direct{tensor, static_cast<int>(level), position, at[level], std::nullopt}});
  return position;
}
/// The one at a position that a variable holds.
inline Position entry(const std::string& variable) { return Position(PositionNode{At{variable}}); }
inline Expr value(const Tensor& tensor, Position at) {
  return Expr(ExprNode{Value{tensor.name, std::move(at)}, tensor.type, {}});
}

/// Statements that come from one place of the loops.
struct Maker {
  text::Span span;
  text::Origin origin;

  template <class Node>
  Stmt made(Node node) const {
    return Stmt(StmtNode{std::move(node), span}, origin);
  }
  Stmt seq(std::vector<Stmt> all) const { return made(Seq{std::move(all)}); }
  Stmt let(std::string name, Expr value, Stmt body) const {
    return made(Let{std::move(name), std::move(value), std::move(body)});
  }
  Stmt loop(const std::string& variable, Expr low, Expr high, Stmt body,
            Loop::Execution execution = Loop::Execution::serial) const {
    Loop loop;
    loop.variable = variable;
    loop.low = std::move(low);
    loop.high = std::move(high);
    loop.execution = execution;
    loop.body = std::move(body);
    return made(std::move(loop));
  }
  Stmt set(const std::string& tensor, Position at, Expr value) const {
    return made(Assign{tensor, std::move(at), std::nullopt, std::move(value)});
  }
  Stmt add(const std::string& tensor, Position at, Expr value) const {
    return made(Assign{tensor, std::move(at), format::ReduceOp::sum, std::move(value)});
  }
};

}  // namespace trellis::flow::making
