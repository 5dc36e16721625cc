#pragma once
// Rewrites every expression to a simpler one of the same value, by rules that need no context.
//
//   x(0 + i*1) = a(i) * 1                  x(i) = a(i)
//   if !(i < j) && true { … }       →      if i >= j { … }
//   for k in 0:min(n, n) { … }             for k in 0:n { … }
//
// After: i64 index arithmetic is in affine normal form (`n - i + 1`); no operation on constants alone is left, except
// one that would be a fault; no `true`, `false` among conjuncts. Floating arithmetic changes no bit of any result.

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

Stmt simplify_expressions(const Stmt& stmt);
/// One expression, children included; the very same handle when nothing changed.
Expr simplify(const Expr& expr);

}  // namespace trellis::loop
