#pragma once
// Which types of numbers text need not say, for print and read alike: a literal has the type that its place asks for,
// or that the operands beside it have.
//
//   A[pA] * 2        of A's type               i + 1       i64
//   x[j] = 0         of x's type               0_f64 < 1   said of the first, as nothing else says it

#include <optional>

#include "engine/flow/expr.hpp"

namespace trellis::flow {

/// Where nothing says it.
inline constexpr format::ScalarType type_of_literals = format::ScalarType::i64;

/// The type that the text of an expression has wherever it stands; none: its literals take that of their place.
std::optional<format::ScalarType> own_type(const Expr& expr);

/// What the operands of an operation are taken for, where the place of the operation asks for a type.
format::ScalarType operand_type(const Binary& binary, format::ScalarType wanted);
format::ScalarType arm_type(const Select& select, format::ScalarType wanted);
format::ScalarType argument_type(const Call& call, format::ScalarType wanted);

/// Of the operation itself, given that of its left operand.
format::ScalarType result_type(format::BinaryOp op, format::ScalarType left);

}  // namespace trellis::flow
