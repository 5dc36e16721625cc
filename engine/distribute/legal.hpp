#pragma once
// May a kernel be distributed as it was asked for? In one execution of a phase no iteration reads what one of another
// rank wrote, and no two of different ranks write one element, but for updates by one commuting operation that the
// phase does not read. For all sizes and all cuts, as any two coordinates may be cut apart
// (docs/design/distributed.md#legal).

#include "engine/distribute/nest.hpp"

namespace trellis::distribute {

/// A pair that may not be cut apart, at the smallest sizes at which there is one.
struct Apart {
  schedule::Dependence dependence;
  std::string ranks;
  math::Assignment sizes, source, sink;
  int phase = -1;                      ///< by number
  std::int64_t first = 0, second = 0;  ///< coordinates of the two, of which the larger one is where to cut
};

/// The one at the smallest sizes; none: it is legal.
std::optional<Apart> find_apart(const Plan& plan, const Nest& nest, math::Solver& solver);

/// `n=2, cut at 1: i=1 on rank 1 reads y(0), which rank 0 computes at i=0`.
std::string to_string(const Apart& apart);

/// Phases, by number, of which iterations of different coordinates have an element in common that one of them writes,
/// by updates too: they keep their order.
std::set<int> ordered_phases(const Plan& plan, const Nest& nest, math::Solver& solver);

}  // namespace trellis::distribute
