#pragma once
// Decides the comparisons that loop bounds and outer guards already decide, and removes what never runs.
//
//   for j in 0:i { if j < i && j < k { … } }      →      for j in 0:i { if j < k { … } }
//   for j in i+1:n { x(j) = j == i ? a : b }      →      for j in i+1:n { x(j) = b }
//   for j in 0:i { for k in 0:min(i, j) { … } }   →      for j in 0:i { for k in 0:j { … } }
//
// After: no affine comparison in a condition, an arm's condition or a bound's min or max is the same at every point
// that reaches it, for all sizes; no loop is provably empty.

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

class Context;

Stmt drop_implied_guards(const Stmt& stmt, math::Solver& solver);
/// The same for a part of a nest, with what is known where it stands.
Stmt drop_implied_guards(const Stmt& stmt, const Context& known);

}  // namespace trellis::loop
