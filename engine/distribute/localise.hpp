#pragma once
// What one rank runs: the same loops, those that are dealt out between the ends of its part, and statements that only
// owners run behind a test. The ends are parameters, so that the loops are the same on all ranks.
//
//   forall i in 1:n - 1 { y(i) = … }   →   forall i in max(1, lo_p):min(n - 1, hi_p) { y(i) = … }
//   forall i in 0:n { z(i) = … }       →   forall i in lo_p:hi_p { z(i) = … }

#include <functional>

#include "engine/distribute/plan.hpp"

namespace trellis::distribute {

/// What else stands before and behind a statement of the plan's loops; and of those that are run in two parts
/// (overlap.hpp), how wide their halos are, what stands before the first part, and what before the second.
struct Beside {
  std::function<std::vector<loop::Stmt>(const loop::Stmt&)> before, behind;
  std::map<int, std::int64_t> overlapped = {};
  std::function<std::vector<loop::Stmt>(const loop::Stmt&)> start = {}, finish = {};
};

/// A statement of the plan's loops, whose numbers say what is dealt out. With `beside` a block, or what becomes one.
loop::Stmt localise(const Plan& plan, const loop::Stmt& statement, const Beside& beside = {});

}  // namespace trellis::distribute
