#pragma once
// Short names for the C that loops over storage are made of.

#include <optional>
#include <string>
#include <utility>

#include "engine/emit/expression.hpp"
#include "engine/flow/levels.hpp"

namespace trellis::emit {

/// The literal without its minus, if it has one: `i + -1` is written `i - 1`.
inline std::optional<c::Expr> negated_literal(const c::Expr& e) {
  const auto* u = e.as<c::Unary>();
  return u && u->op == "-" && c::is_plain_literal(u->operand) ? std::optional(u->operand) : std::nullopt;
}
inline c::Expr plus(c::Expr a, c::Expr b) {
  if (const auto taken = negated_literal(b)) return arithmetic(format::ScalarType::i64, "-", std::move(a), *taken);
  return sum(std::move(a), std::move(b));
}
inline c::Expr minus(c::Expr a, c::Expr b) {
  if (const auto added = negated_literal(b)) return sum(std::move(a), *added);
  return arithmetic(format::ScalarType::i64, "-", std::move(a), std::move(b));
}
inline c::Expr times(c::Expr a, c::Expr b) {
  return arithmetic(format::ScalarType::i64, "*", std::move(a), std::move(b));
}
/// Elements of levels have 32 bits, which a product with one, or a sum, may not fit.
inline c::Expr in_64_bits(c::Expr e) { return c::expr(c::Cast{"int64_t", std::move(e)}); }
inline c::Expr index(c::Expr array, c::Expr at) { return c::expr(c::Index{std::move(array), std::move(at)}); }
inline c::Expr address(c::Expr e) { return c::expr(c::Unary{"&", std::move(e)}); }
inline c::Expr address(const std::string& name) { return c::expr(c::Unary{"&", c::token(name)}); }
inline c::Expr choose(c::Expr condition, c::Expr then, c::Expr otherwise) {
  return c::expr(c::Conditional{std::move(condition), std::move(then), std::move(otherwise)});
}
inline c::Stmt assign_to(c::Expr target, const std::string& op, c::Expr value) {
  return c::stmt(c::Assignment{std::move(target), op, std::move(value)});
}
inline c::Stmt set(const std::string& name, const std::string& op, c::Expr value) {
  return assign_to(c::token(name), op, std::move(value));
}
inline c::Stmt constant(const std::string& name, c::Expr value) {
  return c::stmt(c::Declaration{"const int64_t", name, {}, std::move(value)});
}
inline c::Stmt variable(const std::string& name, c::Expr value) {
  return c::stmt(c::Declaration{"int64_t", name, {}, std::move(value)});
}

inline bool is_zero(const c::Expr& e) {
  const auto* token = e.as<c::Token>();
  return token && token->text == "0";
}

inline bool is_one(const c::Expr& e) {
  const auto* token = e.as<c::Token>();
  return token && token->text == "1";
}

/// To the next iteration, if it holds.
inline c::Stmt continue_if(c::Expr condition) {
  return c::stmt(c::If{std::move(condition), c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}});
}

inline bool workspace(const flow::Tensor& tensor) { return tensor.storage == flow::Tensor::Storage::temporary; }

}  // namespace trellis::emit
