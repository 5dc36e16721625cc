#pragma once
// What reads a guarded reduction asks the guard's condition again, right behind it: once is enough.
//
//   tensor t                                               if c {
//   if c { t = 0; for j in 0:n { t += A(i,j)*x(j) } }        tensor t
//   y(i) = c ? t : 0                               →         t = 0
//                                                            for j in 0:n { t += A(i,j)*x(j) }
//                                                            y(i) = t
//                                                          } else { y(i) = 0 }
//
// A condition of several parts is known in the first branch part by part, and in the second as a whole. Only where all
// that is read and written is dense: what sparse operands store tells branches apart anyway, and what sparse results
// store is decided by the choice as a whole.

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

/// After guard_reductions, and once guards of one condition are one.
Stmt join_guards(const Stmt& stmt, const lang::Program& program);

}  // namespace trellis::loop
