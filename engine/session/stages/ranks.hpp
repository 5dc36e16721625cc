#pragma once
// How a kernel runs on ranks, in words: what `show ranks` prints, with bytes where sizes and ranks have numbers.

#include <vector>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// With so many ranks; empty: as many as the program says, if it does.
std::string ranks_text(State& state, const Compilation& compilation, std::vector<std::int64_t> asked, text::Span at,
                       text::Diagnostics& diagnostics);

}  // namespace trellis::session
