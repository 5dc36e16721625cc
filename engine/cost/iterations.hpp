#pragma once
// How many iterations a loop over entries has, and at how many of them each cursor is present: entries are taken to be
// spread evenly, those of one operand independently of another's.

#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::cost {

struct Iterations {
  double number = 0;
  double mispredicted = 0;  ///< branches of an iteration
};

/// `entries`: of each cursor within the loop's range; `range`: its coordinates.
Iterations iterations_of(const flow::Coiterate& loop, std::size_t point, const std::vector<double>& entries,
                         double range);

}  // namespace trellis::cost
