#pragma once
// What the storage of an undeclared result comes to, where the data is there: added to the note that announces it.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// The same, with each N0201 that says why its result is sparse or dense: how many entries are expected, and the bytes
/// of its format and of the other one. Nothing more where sizes or operands are missing, or its equation is no query.
text::Diagnostics with_bytes(const State& state, const lang::Program& program, const text::Diagnostics& diagnostics);

}  // namespace trellis::session
