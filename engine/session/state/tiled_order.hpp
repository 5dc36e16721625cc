#pragma once
// What to write where `tile` is refused: a step on loops that were placed cannot cut a recurrence, of which one
// equation runs in several tiles; an order with tiles can (docs/design/blocks.md).

#include <memory>
#include <optional>

#include "engine/place/analysis.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// `order i/32 j/32 i j k` for a refused `tile i j 32 32`, with the loops in the order that they have; compiled, so
/// that it is legal. Tiles of indices that can be compared are of one size, where nothing else is legal. Empty where no
/// such order is, and where the kernel has an order of its own, which the fix would stand beside.
std::optional<text::Fix> tiled_order(const place::Analysis& untiled, const lang::Kernel& kernel,
                                     const lang::ScheduleStep& refused);

}  // namespace trellis::session
