#pragma once
// Phases of which a part can run while their ghosts travel: the box of iterations that read none.
//
//   exchange start 0 of u; exchange finish 0 of u         exchange start 0 of u
//   forall i in lo:hi { v(i) = u(i-1) + u(i+1) }     →    forall i in lo + 1:hi - 1 { … }
//                                                         exchange finish 0 of u
//                                                         forall i in lo:min(hi, lo + 1) { … }
//                                                         forall i in max(lo + 1, hi - 1):hi { … }
//
// Iterations change their order, so no two of different coordinates may have an element in common that one of them
// writes: not even a sum, whose bits would be others, nor one that is overwritten behind its last read. Each iteration
// stays as it is, and with it the sums inside. Nothing is appended there either.

#include "engine/distribute/plan.hpp"
#include "engine/math/solver.hpp"

namespace trellis::distribute {

/// Widths of the halos, by the number of the loop that is the phase: a rank's iterations that are so far from the ends
/// of its part in all dimensions read no ghosts. Dealt-out loops inside it are nested perfectly.
std::map<int, std::int64_t> overlapped_phases(const Plan& plan, const lang::Program& program, math::Solver& solver);

/// Whether entries are added to a result in a sparse format, which come one behind the other.
bool appends(const Plan& plan, const loop::Stmt& statement);

/// The only statement of a loop's body, where that is a dealt-out loop; null: it is none.
loop::Stmt dealt_inside(const Plan& plan, const loop::Stmt& dealt_out);

}  // namespace trellis::distribute
