#pragma once
// What `place` and `lattice` walk through, made from the kernel as it is scheduled now.

#include <optional>

#include "engine/session/cursor.hpp"
#include "engine/session/state.hpp"

namespace trellis::session {

/// Legal or not. Empty is reported: a loop program, whose equations are not placed.
std::optional<ReplayedPlacement> replayed_placement(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics);

/// Over the data of the session, at most 20 000 steps. Empty is reported: an illegal order, loops that walk no stored entries.
std::optional<ReplayedLattices> replayed_lattices(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics);

}  // namespace trellis::session
