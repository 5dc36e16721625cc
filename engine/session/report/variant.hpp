#pragma once
// A kernel as it would be with another order or format: what the page shows in place of the kernel's own when it is
// chosen.
//
//   {"legal", "stages": {"placement": …, "loops": …, "c": …}, "drawings", "placed", "execution"}

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// With a schedule command such as `order i j k`. One that the kernel cannot have has its placement as far as it comes,
/// "loops" that say why, and an execution of what running it all the same would do.
nlohmann::ordered_json variant_json(State& state, const lang::Kernel& kernel, const std::string& command);

/// The kernel with each operand in each format that the program names for a tensor of as many dimensions:
/// [{"command": "format A csc", "tensor": "A", "format": "csc", …}]. The first few; fewer where they take too long.
nlohmann::ordered_json formats_json(State& state, const lang::Kernel& kernel);

}  // namespace trellis::session
