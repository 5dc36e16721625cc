#pragma once
// The dependence that a loop carries, as a case to look at: the loops are replayed at the smallest sizes at which one iteration
// reads what another one wrote.

#include <optional>
#include <string>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// Empty when no iteration of the loops over `variable` reads another one's value at sizes up to 4.
std::optional<text::Instance> carried_instance(const loop::Stmt& loops, const lang::Program& program, const std::string& variable);

}  // namespace trellis::schedule
