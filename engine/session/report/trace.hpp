#pragma once
// The executions, and walks through lattices, that a report steps through: of the kernel's own order and, where orders
// are illegal, of those all the same.

#include <nlohmann/json_fwd.hpp>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// `{"order", "legal", "stage", "nest": {text, spans}, "tensors": [{tensor, shape, role, values, stored}], "steps":
/// [{"at", "loops", "reads", "writes", "starts", "fills", "ends", "early", "wrong", "does"}], "complete"}`, or
/// `{"problem", "notes"}` when it cannot be stepped. Elements are written as [tensor, [index], value]. Illegal orders
/// begin with results that nothing has written; "wrong" are the elements that end up with another value than they
/// should have, where they got it.
nlohmann::ordered_json trace_json(State& state, const lang::Kernel& kernel);

/// The control flow that was compiled, executed: "steps" as view::to_json has them, "complete", and a "fault" that
/// ended it; null when data are missing, or no loop walks what is stored.
nlohmann::ordered_json lattice_walk_json(State& state, const lang::Kernel& kernel);

}  // namespace trellis::session
