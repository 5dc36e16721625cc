#pragma once
// The region that a cursor is at: which of the loop's coordinates it holds. Downwards, "near" is where the loop comes
// from.

#include <string>
#include <utility>

#include "engine/emit/cursor.hpp"

namespace trellis::emit {

/// The loop's coordinates of the region at `walk.at`, lower one first.
std::pair<c::Expr, c::Expr> region_of(Context& out, const CCursor& walk);
/// Declares those two; behind the last region there is nothing near. What is full is there anyway, and only matters by
/// where it ends.
void bind_region(Context& out, CCursor& walk, const flow::Coiterate& loop, bool may_be_over);
/// Does the region that was bound hold the coordinate, which it does not end before?
c::Expr reaches(const CCursor& walk, const std::string& coordinate, bool down);
/// Past regions that end before the loop stands, and those in which a slice has no coordinate.
void skip_to(Context& out, const CCursor& walk, const flow::Coiterate& loop, const c::Expr& next);

}  // namespace trellis::emit
