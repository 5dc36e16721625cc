#pragma once
// The orders that a kernel cannot have, for the report: each with its reason, and its instance on a grid.
//
//   [{…the reply of `why`, "order_text": "i j k", "grid": {"tensor": "V", "shape": [2, 3], "reads": [1, 1], "computes": [0, 2]}}]

#include <nlohmann/json_fwd.hpp>

#include "engine/session/reply/reply.hpp"
#include "engine/session/state.hpp"

namespace trellis::session {

/// A reply as programs read it, without what says which line asked; what went wrong also in the words of the terminal.
nlohmann::ordered_json report_answer(const Reply& reply, const text::Sources& sources);

/// The first two dozen of those that the reply to `orders` refuses. "grid" is null when the tensor has more than two dimensions
/// or sizes are not known; "computes" is the element that the reading iteration is on its way to, where there is one.
nlohmann::ordered_json refused_json(State& state, const lang::Kernel& kernel, const Reply& orders);

}  // namespace trellis::session
