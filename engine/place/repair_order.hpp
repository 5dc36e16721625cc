#pragma once
// A legal order of more loops than there is time to try all orders of. Where the search for the places of statements
// fails, the loop that reads too early is turned round, or takes another place; of the orders that come of it, the one
// that lets most statements find their places is changed next.
//
//   p i k   places 3 statements, then p reads what comes after it   →   p- i k places 3, i p k places 4, …

#include <optional>

#include "engine/lang/schedule.hpp"
#include "engine/place/dependences.hpp"

namespace trellis::place {

/// Empty when none of the orders that were tried is legal, `left` of them at most; it is lowered by each.
std::optional<lang::Order> repair_order(Dependences& dependences, const lang::Order& start, int& left);

/// The order with the loop at `from` taken out and put at `to`.
lang::Order moved(const lang::Order& order, std::size_t from, std::size_t to);

}  // namespace trellis::place
