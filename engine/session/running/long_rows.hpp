#pragma once
// Rows that are dealt out whole, of which one has more than a part should have: the others wait for whoever has it.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Who shares rows: ranks or threads.
enum class Sharers { ranks, threads };

/// W0212 where there are so many parts, and a row outweighs what each of them should have. `weights`: of each row, of
/// itself and its entries.
void warn_of_long_row(const std::vector<std::int64_t>& weights, const std::string& tensor, std::int64_t parts,
                      Sharers sharers, text::Span at, text::Diagnostics& diagnostics);

/// The same for `parallel A` where a result is appended to, on so many threads.
void warn_of_long_rows(const State& state, const Compilation& compilation, int threads, text::Span at,
                       text::Diagnostics& diagnostics);

}  // namespace trellis::session
