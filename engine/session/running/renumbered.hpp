#pragma once
// A kernel on ranks where rows have other numbers there (distribute/renumber.hpp): what it finds goes into those
// numbers, and what it makes comes back out of them, so that the session sees the user's numbers alone.

#include "engine/distribute/cuts.hpp"
#include "engine/session/running/execution.hpp"

namespace trellis::session {

/// What was prepared, in the numbers of ranks. Empty is reported: memory was refused.
std::optional<Prepared> in_numbers_of_ranks(const Prepared& prepared, const distribute::Cuts& cuts, text::Span at,
                                            text::Diagnostics& diagnostics, Exit& exit);

/// After a run: results come back. False is reported.
bool take_results_back(const Prepared& ran, const distribute::Cuts& cuts, Prepared& prepared, text::Span at,
                       text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
