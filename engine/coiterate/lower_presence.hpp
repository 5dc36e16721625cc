#pragma once
// An element that is looked up and not found decides an operation as it does where a loop passes it by: `0 * inf` is 0
// there.
//
//   A(i,j) * x(j)      pA >= 0 ? A[pA] * x[j] : 0
//   (A + B) * x        pA >= 0 || pB >= 0 ? (A + B) * x : 0
//   A + x, A + B       (pA >= 0 ? A[pA] : 0) + x            a sum is decided by no operand
//   A * x(p(i))        pA >= 0 ? A[pA] * x[p[i]] : (x[p[i]]; 0)     the other operand is asked for, as it may be an
//   error

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// The operation that an expression became, only carried out where enough is stored if that can make a difference.
Expr where_present(Context& in, const lang::Expr& e, const Expr& operation);

}  // namespace trellis::coiterate
