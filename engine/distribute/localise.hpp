#pragma once
// What one rank runs: the same loops, those that are dealt out between the ends of its part, and statements that only
// owners run behind a test. The ends are parameters, so that the loops are the same on all ranks.
//
//   forall i in 1:n - 1 { y(i) = … }   →   forall i in max(1, lo_p):min(n - 1, hi_p) { y(i) = … }

#include "engine/distribute/plan.hpp"

namespace trellis::distribute {

/// A statement of the plan's loops, whose numbers say what is dealt out.
loop::Stmt localise(const Plan& plan, const loop::Stmt& statement);

}  // namespace trellis::distribute
