#include "engine/results/mask_condition.hpp"

namespace trellis::results {

lang::Expr mask_condition(const lang::TensorInfo& mask, const std::vector<lang::Expr>& indices, bool complement) {
  using format::BinaryOp;
  const lang::Expr value(lang::ExprNode{lang::Access{mask.name, indices, {}}, mask.type, {}});
  if (!format::is_boolean(mask.type))
    return lang::binary(complement ? BinaryOp::equal : BinaryOp::not_equal, value, lang::constant(mask.fill));
  if (mask.fill.is_true() == complement) return value;
  return lang::Expr(lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, value}, mask.type, {}});
}

}  // namespace trellis::results
