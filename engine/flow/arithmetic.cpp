#include "engine/flow/arithmetic.hpp"

namespace trellis::flow {

Expr binary(format::BinaryOp op, const Expr& left, const Expr& right, format::ScalarType type) {
  return Expr(ExprNode{Binary{op, left, right}, type, left->span});
}

}  // namespace trellis::flow
