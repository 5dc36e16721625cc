#pragma once
// Constants that nothing reads go away:  for (…) { const int64_t j = A_crd[p]; s += A[p]; }   →   for (…) { s += A[p]; }
//
// The emitter names the coordinates of every entry that it visits; a sum over all entries needs none of them.

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The same statements without the constants that no statement behind them mentions. Those that a function computes
/// stay: it may insert, or report a fault.
Stmt without_unused(const Stmt& stmt);

}  // namespace trellis::emit::c
