#pragma once
// Two executions of one program in different orders, side by side: which step of one does the same as which of the
// other. A statement is known by its fragment, and an iteration of it by the point in the equation's own indices
// (points.hpp), which no schedule changes; where no fragment is known, a step is known by the element that it writes.
//
//   i j k:  tL1 += L(4,0)*L(3,0)   at i=4, j=3, k=0        j k i:  tL1(4) += L(4,0)*L(3,0)   at the same point

#include <optional>
#include <vector>

#include "engine/explore/points.hpp"

namespace trellis::explore {

/// What is compared: an execution, where its steps stand, and the fragments that they are of.
struct Execution {
  const Trace& trace;
  const std::vector<StepPoint>& points;  ///< by step
  const place::Fragments& fragments;
};

/// By step of `one`: the step of `other` that does the same. The third time that something is done there goes with the
/// third time here. Empty: nothing does, or nobody can tell.
using Counterparts = std::vector<std::optional<std::size_t>>;
Counterparts counterparts(const Execution& one, const Execution& other);

/// How far the other execution is when so many steps of this one are done: just behind the counterpart of the last of
/// them that has one; 0 when none has.
std::size_t follow(const Counterparts& counterparts, std::size_t done);

}  // namespace trellis::explore
