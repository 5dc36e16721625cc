#pragma once
// Does at once what a loop does at all coordinates where its operands store nothing (docs/design/coiteration.md#gaps).
// There every iteration updates by the same value, and what matters of that is how often, or whether at all:
//
//   for j { m max= A(i,j) }     A: csr, fill 0
//   →   j_seen = 0; for j { if (A(i,j) != 0) { m max= A(i,j); j_seen += 1 } }; if (j_seen < n) { m max= 0 }
//
// The loop now has something to do where A stores an entry alone, so A leads it.
//
// argmin and argmax take the first index of the best value, so of the gaps the first one matters:
//
//   for k { let v = A(i,k) { if (v < best || v == best && (at < 0 || k < at)) { best = v; at = k } } }
//   →   k_gap = 0; for k { if (A(i,k) != 0) { if (k == k_gap) { k_gap += 1 }; let v = A(i,k) { … } } }
//       if (k_gap < n) { if (0 < best || 0 == best && (at < 0 || k_gap < at)) { best = 0; at = k_gap } }
//
// Where a loop inside runs over what is updated, each element has a counter of its own:
//
//   for k { for i { m(i) max= A(k,i) } }
//   →   k_seen .= 0; for k { for i { if (A(k,i) != 0) { m(i) max= A(k,i); k_seen(i) += 1 } } }
//       for i { if (k_seen(i) < n) { m(i) max= 0 } }

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/support.hpp"

namespace trellis::coiterate {

struct Lifted {
  std::vector<lang::TensorInfo> counters;  ///< i64, 0 before: scalars, or one for each iteration of the loop inside
  loop::Stmt walk;                         ///< the loop, where values are others than in gaps
  std::vector<loop::Stmt> rest;            ///< behind it
};

/// A serial loop over updates by `min max any all`, or by a sum, of targets that stay put, and upwards over argmin and
/// argmax; or one over a loop inside that is over such updates, with what is offered to both. Empty for other loops,
/// and where nothing is gained: the values of the gaps are none to the updates, or end one of them
/// (flow/leave_early.hpp). `fresh` makes a name that is free of one for a counter.
std::optional<Lifted> lift(const loop::Stmt& loop, const Offers& offers, const Surroundings& around,
                           const std::function<std::string(const std::string&)>& fresh);

/// The loop that is all that this one does, and that could as well be around it: over elements that each iteration
/// updates.
const loop::For* loop_inside(const loop::Stmt& loop, const lang::Program& program);

/// The same of a loop over updates by constants, which is all that is left of some where the operands of a loop around
/// are absent.
std::optional<loop::Stmt> lift_constant(const loop::Stmt& loop);

}  // namespace trellis::coiterate
