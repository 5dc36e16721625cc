#pragma once
// Arithmetic that passes write.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Where the left operand is, as a number of the type: a comparison is a Boolean.
Expr binary(format::BinaryOp op, const Expr& left, const Expr& right,
            format::ScalarType type = format::ScalarType::i64);

}  // namespace trellis::flow
