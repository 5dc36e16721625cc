#pragma once
// What becomes of the elements of dense tensors: assignments and updates, and all elements at once.

#include "engine/emit/context.hpp"

namespace trellis::emit {

void assign(Context& out, const flow::Assign& assign, const text::Origin& origin);
/// What the element is after the update.
c::Expr updated(Context& out, const flow::Assign& update);
/// Two elements made one; not by a function of the user, nor argmin or argmax.
c::Expr reduced(Context& out, format::ReduceOp op, format::ScalarType type, const c::Expr& left, const c::Expr& right);

/// The same of what several threads update; `last` as of a Body.
void assign_together(Context& out, const flow::Assign& assign, const text::Origin& origin, bool last);
/// Every element of the array becomes the value.
void fill(Context& out, const flow::Reset& reset, const text::Origin& origin);

}  // namespace trellis::emit
