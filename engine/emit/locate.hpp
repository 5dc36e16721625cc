#pragma once
// Fibers, and what is looked up in them: by bisection, by hashing, at once, or from the first entry on, as the level
// allows.

#include <utility>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

/// The entries of a level below a position: from the first to before the second.
std::pair<c::Expr, c::Expr> fiber(Context& out, const flow::Tensor& tensor, int level, const flow::Position& parent);
/// What a cursor goes through: none where its parent does not exist, which is not looked for then.
std::pair<c::Expr, c::Expr> fiber(Context& out, const flow::Cursor& cursor);
std::pair<c::Expr, c::Expr> where_it_exists(Context& out, const flow::Cursor& cursor,
                                            std::pair<c::Expr, c::Expr> entries);

/// The first coordinate that the level stores of the region `entry`, in a fiber that starts at `begin`.
c::Expr stored_first(Context& out, const flow::Tensor& tensor, int level, const c::Expr& entry, const c::Expr& begin);

/// Those that a look-up marches by, one for each fiber: where a kernel begins, or a thread.
void allocate_pointers(Context& out, Memory& memory, const flow::Locate& locate);

/// Declares the position, or -1, and where entries of that coordinate end.
void locate(Context& out, Memory& memory, const flow::Locate& locate, const text::Origin& origin);

}  // namespace trellis::emit
