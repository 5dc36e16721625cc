#pragma once
// Of what ranks send "through A": which coordinates they need. An element that the compiled loops read only where a
// walk of a sparse operand's rows stands is wanted by the ranks whose rows have an entry there, and by no others. Each
// rank can tell for all of them, as it has the operand's arrays.
//
//   y(i) += A(i,k) * x(k)      of x a rank needs, beside its own, the coordinates of its rows of A

#include <vector>

#include "engine/distribute/plan.hpp"
#include "engine/flow/flow.hpp"
#include "engine/run/rank_job.hpp"

namespace trellis::session {

/// `flow`: of a rank's kernel, as it was lowered. Exchanges of which nothing is said send what their sections have.
std::vector<run::RankPlan::Through> needed_through(const distribute::Plan& plan, const flow::Flow& flow);

}  // namespace trellis::session
