#pragma once
// `orders time`: the legal orders of a kernel, each compiled and measured on the same values. No tensor changes.

#include "engine/explore/orders.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::session {

/// Fills in `median_ms`, and shows each row to State::filling. An order that cannot run as it stands, or not within the
/// limits, keeps none; Ctrl-C ends the work and keeps what was measured. False when no order can run, for a reason that
/// is reported.
bool time_orders(State&, const lang::Kernel&, OrdersListed&, Words&);

}  // namespace trellis::session
