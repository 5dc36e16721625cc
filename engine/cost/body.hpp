#pragma once
// The straight-line code of one loop: what an iteration computes, touches, and waits for. Statements of loops that are
// unrolled into it count as often as they are repeated.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/cost/machine.hpp"
#include "engine/cost/nest.hpp"

namespace trellis::cost {

struct Body {
  double operations = 0;         ///< cycles, were there nothing else to do
  double overhead = 0;           ///< cycles that no vector makes fewer: branches, look-ups, the loops inside
  std::vector<Access> accesses;  ///< each element once
  std::set<std::string> own;     ///< temporaries that live for one iteration
  double element_bytes = 4;      ///< of the widest type that it computes with
  bool plain = true;             ///< assignments alone
  std::vector<Level> unrolled;   ///< loops that are part of the iteration

  /// An update of an element: of what the iterations before left, when the loop does not move it.
  struct Update {
    Access target;
    bool floating = false;
    bool accumulates = false;  ///< depends on what the element held
  };
  std::vector<Update> updates;
  std::map<int, double> asked_by;  ///< by statement, the cycles that it asks for; those of its accesses are loads

  /// Notes that the element is touched; equal ones are one.
  void touch(const Access& access);
};

/// Cycles of one iteration.
struct IterationCycles {
  double busy = 0;      ///< the busiest of the core's units
  double waiting = 0;   ///< longer than that, for what the iteration before computes
  double overhead = 0;  ///< branches, look-ups, the loops inside
  double all() const { return busy + waiting + overhead; }
};
/// Of one iteration, its data being in the nearest cache: as many as the busiest of the core's units is busy,
/// and never fewer than the next iteration waits for. Iterations run in vectors when they are plain, write from element
/// to element and none needs what another one computes; they wait for each other where they add up floating numbers,
/// whose order is kept, or read what the one before wrote.
IterationCycles iteration_cycles(const Body& body, const std::vector<Level>& levels);

}  // namespace trellis::cost
