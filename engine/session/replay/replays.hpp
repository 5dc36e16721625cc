#pragma once
// What `place` and `lattice` walk through, made from the kernel as it is scheduled now.

#include <optional>

#include "engine/session/replay/cursor.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Legal or not.
ReplayedPlacement replayed_placement(std::string kernel, std::shared_ptr<const place::Analysis> analysis,
                                     lang::Order order, const std::vector<std::string>& in_place = {});
/// As `show placement` prints it: the nest, the events, what was proven.
text::Text text_of(const ReplayedPlacement& placement);

/// Legal or not. Empty is reported: a loop program, whose equations are not placed.
std::optional<ReplayedPlacement> replayed_placement(State& state, const lang::Kernel& kernel, text::Span at,
                                                    text::Diagnostics& diagnostics);

/// The control flow that was compiled, on the data of the session, at most 20 000 steps. Empty is reported: an illegal
/// order, loops that walk no stored entries.
std::optional<ReplayedLattices> replayed_lattices(State& state, const lang::Kernel& kernel, text::Span at,
                                                  text::Diagnostics& diagnostics);

/// The steps alone.
std::optional<explore::LatticeTrace> traced_lattices(State& state, const Compilation& compilation, std::size_t most,
                                                     text::Span at, text::Diagnostics& diagnostics);

}  // namespace trellis::session
