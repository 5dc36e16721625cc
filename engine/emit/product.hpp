#pragma once
// Products in C: the entries of the last level are counted, those of the levels above lag behind. As the fibers of a
// level lie one behind the other, all of them are one range, and an entry belongs to the first fiber that ends behind
// it; empty ones are passed by.
//
//   while (pA < pA_end && A_pos[pA1 + 1] <= pA) pA1++;       catch_up      8 * pA1 + A_crd[pA] is where it stands

#include "engine/emit/cursor.hpp"

namespace trellis::emit {

/// From where to where the cursor goes; declares where the levels above stand.
void open_product(Context& out, CCursor& walk, const flow::Coiterate& loop);
/// The key of the entry at which the cursor stands; where the levels below the first have no fibers of their own, of
/// any entry.
c::Expr key(Context& out, const CCursor& walk, const c::Expr& entry);
/// Is some coordinate that leads to where the cursor stands no digit? Only where it leaves some out.
c::Expr has_no_key(Context& out, const CCursor& walk);
/// The levels above, to where the cursor stands; it moves on past what has no key. Without an end it is known to have
/// entries left, and stays.
void catch_up(Context& out, const CCursor& walk);
/// Past fibers all of whose entries come before the loop's coordinate.
void leave_fibers(Context& out, const CCursor& walk, const std::string& i, bool down);

}  // namespace trellis::emit
