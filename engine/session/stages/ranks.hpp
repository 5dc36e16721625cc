#pragma once
// How a kernel runs on ranks: what `show ranks` prints, with bytes where sizes and ranks have numbers, and the C of
// `show ranks c`.

#include <vector>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// With so many ranks; empty: as many as the program says, if it does.
std::string ranks_text(State& state, const Compilation& compilation, std::vector<std::int64_t> asked, text::Span at,
                       text::Diagnostics& diagnostics);

/// The C that each rank runs, or why there is none.
std::string c_of_rank(const Compilation& compilation, text::Diagnostics& diagnostics);

}  // namespace trellis::session
