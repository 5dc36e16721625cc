#pragma once
// The other orders of a kernel, for the report. Those that it cannot have, each with its reason, and its instance on a
// grid:
//
//   [{…the reply of `why`, "order_text": "i j k",
//     "grid": {"tensor": "V", "shape": [2, 3], "reads": [1, 1], "computes": [0, 2]}}]
//
// All others than its own, with what would become of it: [{"order_text", "cost", "median_ms", …variant.hpp}]

#include <nlohmann/json_fwd.hpp>

#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The first two dozen of those that the reply to `orders` refuses. "grid" is null when the tensor has more than two
/// dimensions or sizes are not known; "computes" is the element that the reading iteration is on its way to, where
/// there is one.
nlohmann::ordered_json refused_json(State& state, const lang::Kernel& kernel, const Reply& orders);

/// The order that the kernel runs in, or is asked to, as the reply to `orders` has it; null when that is an error.
nlohmann::ordered_json present_order(const Reply& orders);

/// The nearest first, two dozen with the present one; fewer where they take too long.
nlohmann::ordered_json others_json(State& state, const lang::Kernel& kernel, const Reply& orders);

}  // namespace trellis::session
