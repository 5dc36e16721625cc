#pragma once
// The executions, and walks through lattices, that a report steps through: of the kernel's own order and, where orders are illegal, of those all the same.

#include <nlohmann/json_fwd.hpp>

#include "engine/session/state.hpp"

namespace trellis::session {

/// `{"order", "legal", "nest": {text, spans}, "tensors": [{tensor, shape, role, values}], "steps": [{"at", "loops", "reads",
/// "writes", "starts", "fills", "early", "wrong"}], "complete"}`, or `{"problem", "notes"}` when it cannot be stepped. Elements are
/// written as [tensor, [index], value]. Illegal orders begin with results that nothing has written; "wrong" are the elements that
/// end up with another value than they should have, where they got it.
nlohmann::ordered_json trace_json(State& state, const lang::Kernel& kernel, const lang::Order& order);
nlohmann::ordered_json trace_json(State& state, const lang::Kernel& kernel);

/// `[{"lattice", "point", "coordinate", "cursors": [{"operand", "at", "begin", "end", "here"}], "does", "runs_out", "to", "around"}]`
/// in "steps", points by the ids of `show lattice`; null when what the lattices walk is not there, or no plain list of entries.
nlohmann::ordered_json lattice_walk_json(State& state, const lang::Kernel& kernel);

}  // namespace trellis::session
