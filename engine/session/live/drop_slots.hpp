#pragma once
// Where a loop may be dropped when it is dragged through its nest: each place with the order that results, its verdict,
// its estimate, and what would be looked up against its storage there.
//
//   order i j k, dragging i    slot 0  i j k  as it is    slot 1  j i k  ✓ legal    slot 2  j k i  ✗ reads V before …

#include <vector>

#include "engine/explore/orders.hpp"
#include "engine/flow/look_ups.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

struct DropSlot {
  int slot = 0;  ///< the loop's place in the order that results, outermost 0
  explore::Verdict verdict;
  std::vector<flow::LookUp> discordant;  ///< of a legal order: searches that another order or format would spare
};

/// For each place in the nest, outermost first; `loop` is the place where it stands. Empty when the kernel is wrong
/// whatever its order, which is reported. Orders that are not `estimated` are judged alone, and not compiled.
std::vector<DropSlot> drop_slots(State& state, const lang::Kernel& kernel, int loop, text::Diagnostics& diagnostics,
                                 bool estimated = true);

}  // namespace trellis::session
