#pragma once
// Conditions that lowering adds to the program's own.

#include <optional>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::coiterate {

inline flow::Expr condition(format::BinaryOp op, const flow::Expr& a, const flow::Expr& b) {
  return flow::Expr(flow::ExprNode{flow::Binary{op, a, b}, format::ScalarType::boolean, {}});
}
inline flow::Expr both(const flow::Expr& a, const std::optional<flow::Expr>& b) {
  return b ? condition(format::BinaryOp::logical_and, a, *b) : a;
}
inline flow::Expr either(const flow::Expr& a, const std::optional<flow::Expr>& b) {
  return b ? condition(format::BinaryOp::logical_or, a, *b) : a;
}
/// Did the look-up find an entry?
inline flow::Expr is_found(const std::string& position) {
  return condition(format::BinaryOp::greater_equal, flow::name(position), flow::integer(0));
}
/// And the entry above is there, if that may be `missing`.
inline std::optional<flow::Expr> exists(const std::optional<flow::Expr>& here, const std::string& missing) {
  return missing.empty() ? here : both(is_found(missing), here);
}

}  // namespace trellis::coiterate
