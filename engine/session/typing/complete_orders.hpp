#pragma once
// Legal loop orders to complete with: `order j` goes on with `i k` and `k i`, where those are legal. It takes no longer
// than a key press may: of kernels with many indices only what is known of them already decides, and not every order is
// tried.

#include <string>
#include <vector>

#include "engine/session/command/commands.hpp"

namespace trellis::session {

/// order, why, core.
bool takes_order(const CommandInfo& command);

/// What may stand behind `words`, the loops that are written already, perhaps with a kernel before them: rests of legal
/// orders of two loops or more, the nearest to the present order first. None of loop programs, whose orders take long
/// to prove.
std::vector<std::string> order_ends(const std::vector<std::string>& words, State& state);

}  // namespace trellis::session
