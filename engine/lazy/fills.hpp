#pragma once
// The value of an expression where nothing below it is stored: of fills and sizes alone (docs/design/arrays.md#fills).

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

format::Value fill_of(const Expr& expr);

/// `size` equal values, reduced: n*v, v^n, v; the identity of none at all. Exact, but for the rounding of one
/// operation.
format::Value repeated(format::ReduceOp op, const format::Value& value, std::int64_t size);

/// Is the fill the same whatever sizes its fields have? A sum of fills 1 is not.
bool fill_is_fixed(const Expr& expr);

}  // namespace trellis::lazy
