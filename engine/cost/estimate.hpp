#pragma once
// The one scale on which orders, formats and schedules are compared: how long a kernel's control flow takes at the
// session's sizes with what its tensors store, in cycles of one core. Only ratios mean anything: `orders` shows each
// order's estimate over that of the best.
//
//   time = Σ over the bodies of loops:  iterations × what an iteration computes, touches and waits for       (body.hpp)
//                                       + the cache lines that come nearer (memory.hpp)
//        + loops begun and ended, branches mispredicted, cursors advanced, entries searched, inserted, appended
//
// Loops whose inner bounds depend on their variable are looked at in a few places. Chances are those of entries that
// are spread evenly and independently of each other.

#include <map>

#include "engine/cost/data.hpp"
#include "engine/cost/machine.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::cost {

/// What cycles go to: cache lines that come nearer; computing, loading and storing; waiting for the iteration before;
/// branches, look-ups, and loops that begin.
struct Parts {
  double memory = 0, busy = 0, waiting = 0, overhead = 0;
};

struct Estimate {
  double cycles = 0;
  Parts parts;
  /// By number of a statement of the flow, its part of them. An iteration takes as long as its busiest unit, whoever
  /// keeps it busy: each statement of a body has a part in that by the operations, look-ups and accesses that it asks
  /// for, a loop by its own beginning and iterations.
  std::map<int, double> by_statement;
};
Estimate estimate(const flow::Flow& flow, const Data& data, const Machine& machine);
double estimate_cycles(const flow::Flow& flow, const Data& data, const Machine& machine);

}  // namespace trellis::cost
