#pragma once
// Parallel loops whose iterations depend on each other: they begin in their order, and each waits for an earlier one
// where it comes to need it, which is at the start of the iteration of that number of a loop inside.
//
//   for j in 0:n parallel {                         column j of Cholesky
//     for k in 0:j {
//       # when iteration k of loop j is over
//       … t(i) += L(i,k)*L(j,k)                     written by iteration j' = k
//
// It is right iff of all pairs of instances that touch one element, one of them writing, and lie in different
// iterations, the later one runs in an inner loop over the number of the earlier one. That holds for updates too, which
// would come at the same time. No cycle of waiting can arise, as iterations only wait for earlier ones. What is
// computed does not depend on the number of threads: each iteration does all that it does in its own order.
// (docs/design/recurrences.md#threads)

#include <string>
#include <variant>

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// The loops over `variable` made parallel, and what waits for them marked; else a dependence for which nothing can
/// wait.
std::variant<loop::Stmt, const Dependence*> awaiting(const loop::Stmt& loops, const Nest& nest,
                                                     const std::string& variable, math::Solver& solver);

/// Has some loop been made parallel like that?
bool awaits(const loop::Stmt& loops);

}  // namespace trellis::schedule
