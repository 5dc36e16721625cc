#pragma once
// How often a loop over entries turns, and at how many of its turns each cursor is present: entries are taken to be
// spread evenly, those of one operand independently of another's.

#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::cost {

struct Turns {
  double number = 0;
  double mispredicted = 0;  ///< branches of a turn
};

/// `entries`: of each cursor within the loop's range; `range`: its coordinates.
Turns turns_of(const flow::Coiterate& loop, std::size_t point, const std::vector<double>& entries, double range);

}  // namespace trellis::cost
