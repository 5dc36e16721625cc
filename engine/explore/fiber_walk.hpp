#pragma once
// One walk of a loop over what its operands store, gathered from the steps of a trace: all entries that any of its
// steps knows, and which coordinates the result has gained.
//
//   y(i) = a(i) + b(i), after step 2    a: 0 2 5    b: 2 3    visited: 0, written; 2, written

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "engine/access/inverse.hpp"
#include "engine/explore/lattice_trace.hpp"

namespace trellis::explore {

struct FiberWalk {
  std::size_t first = 0, end = 0;  ///< steps of the trace, half-open
  struct Fiber {
    int operand = 0;
    std::int64_t begin = 0, end = 0;  ///< entries in storage
    struct Entry {
      std::int64_t first = 0, last = 0;  ///< coordinates as they are stored; of a point they are one
      bool operator==(const Entry&) const = default;
    };
    std::map<std::int64_t, Entry> entries;  ///< by number, those that are known
  };
  std::vector<Fiber> fibers;  ///< of the operands that lead or follow
};

/// The walk that a step belongs to: those before and after it of the same loop, in the same iteration of the loops
/// around it.
FiberWalk walk_of_step(const LatticeTrace& trace, std::size_t step);

/// What a step does to the result at its coordinate.
bool writes(const LatticeStep& step);

/// From what an operand stores to the coordinate of its loop, at that step; empty where a name has no value.
std::optional<std::int64_t> loop_coordinate(const access::Inverse& inverse, std::int64_t stored,
                                            const LatticeStep& step,
                                            const std::map<std::string, format::Value>& parameters);

}  // namespace trellis::explore
