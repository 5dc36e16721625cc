#pragma once
// What a kernel looks up rather than walks, for `show formats`, and the warning that another order or format would walk
// it.

#include <optional>
#include <string>
#include <vector>

#include "engine/flow/look_ups.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// A line for each: "A(i,j) is found by bisection for each (j,i), against its storage; `order i j` (1.0×) would walk
/// it, now 12×":
/// estimated times over that of the best way.
std::vector<std::string> look_ups_in_words(State& state, const lang::Kernel& kernel, const Compilation& compilation);

/// W0210 for a kernel that searches where an order or a format would walk.
std::optional<text::Diagnostic> searches(State& state, const lang::Kernel& kernel, const Compilation& compilation);
/// The same as a warning, once in a session.
void warn_of_searches(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                      text::Diagnostics& diagnostics);

}  // namespace trellis::session
