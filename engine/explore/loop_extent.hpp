#pragma once
// How much of a loop program an order would change: the reads on the wrong side of a write, counted at small sizes.

#include <optional>

#include "engine/explore/why.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::explore {

/// Of a reordering, which keeps the loops' names. Empty when two writes are what changes places, and when data decides
/// which of the iterations do what.
std::optional<Extent> measure_extent(const loop::Stmt& loops, const schedule::Nest& nest,
                                     const schedule::Violation& violation, const lang::Program& program);

}  // namespace trellis::explore
