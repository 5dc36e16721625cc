#pragma once
// The cache lines that a statement's accesses bring nearer. For each cache: the data of some of the loops, counted from
// the innermost, fits into it. One more loop outside, what one iteration brought is still there for the next: the lines
// of that loop's whole run are brought once for each of its runs.
//
// After Porterfield's and Wolf and Lam's reuse (A data locality optimizing algorithm, section 3), with sizes in place
// of symbols.

#include "engine/cost/machine.hpp"
#include "engine/cost/nest.hpp"

namespace trellis::cost {

/// Cycles of all executions of the statement: of lines whose neighbours come before them, which arrive while the core
/// computes, and of others.
struct MemoryCycles {
  double streamed = 0, scattered = 0;
};
/// What fits into a cache whole is taken to be there already.
MemoryCycles memory_cycles(const std::vector<Access>& accesses, const std::vector<Level>& levels, const Data& data,
                           const Machine& machine);

/// The lines with elements that one run of the loops from `from` inwards touches.
double lines_of(const Access& access, const std::vector<Level>& levels, std::size_t from, const Data& data);

}  // namespace trellis::cost
