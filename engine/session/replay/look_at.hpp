#pragma once
// Where a replay stands is where everyone looks: `step`, `place step` and `lattice step` set State::selection. Pins
// stay.
//
//   step       kernel main, stage loops, step 3, node loops:7, instance i=1 j=0, element V(1,0)

#include "engine/session/replay/cursor.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The element is one that is read too early, else the one that is written, else the first that is read.
void look_at(State& state, const Position<Recorded>& position);
/// The node is the fragment that the last event is about.
void look_at(State& state, const Position<ReplayedPlacement>& position);
/// The node is the lattice's point, the element the last one that is touched.
void look_at(State& state, const Position<ReplayedLattices>& position);

}  // namespace trellis::session
