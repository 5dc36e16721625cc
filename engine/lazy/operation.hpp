#pragma once
// What is known of a Map's operator comes from what the compiler knows of the language's: types from lang/expr.hpp,
// values and properties from lang/properties.hpp. There is no second table.

#include <vector>

#include "engine/lang/properties.hpp"
#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// The operation on operands of these types, as the language's expression of zeros.
lang::Expr operation(const Operator& op, const std::vector<format::ScalarType>& operands);
format::ScalarType result_type(const Operator& op, const std::vector<format::ScalarType>& operands);

/// The operation on values. A division of integers that faults gives 0, as format::apply has it.
format::Value value_of(const Operator& op, const std::vector<format::Value>& values);

/// An absent operand with that value decides alone: x * 0, x && false, min(x, -inf).
std::vector<lang::Properties::Constant> deciding(const Operator& op, const std::vector<format::ScalarType>& operands);

/// What a reduction folds with: `+`, `*`, min, max, `||`, `&&`.
Operator folding(format::ReduceOp op);
/// Does a value more, equal to one that is there already, change nothing?
bool is_idempotent(format::ReduceOp op);

}  // namespace trellis::lazy
