#pragma once
// Where an expression may be something else than a value, as a condition over what operands store: fills, annihilators
// and identities decide, cancellation is ignored. Source: RECUMA, section 8 (symbolic analysis);
// docs/design/recurrences.md#patterns.
//
//   A(i,j) - sum(k)(L(i,k)*L(j,k))  differs from 0 where   A^(i,j) || any(k)(L^(i,k) && L^(j,k))

#include <functional>

#include "engine/lang/program.hpp"

namespace trellis::symbolic {

/// Of an access: the condition that its element is stored; `true` of what is stored everywhere.
using Stored = std::function<lang::Expr(const lang::Access&)>;

/// A superset of where `expr` differs from `value`, which has its type.
lang::Expr differs(const lang::Expr& expr, const format::Value& value, const lang::Program& program,
                   const Stored& stored);

}  // namespace trellis::symbolic
