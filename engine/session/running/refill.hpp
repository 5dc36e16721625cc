#pragma once
// At a prompt sizes change, and what was filled does not fit any more:
//
//   param n = 5; tensor x(n); random x
//   param n = 8                          fills x again, with 8 entries
//
// What cannot be filled again is empty, and State::tensor refuses it, rather than let it read as zeros.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Carries out once more what filled each tensor last, as far as the tensor is declared differently now; says so at
/// `at`: N0603 or, where the data does not fit, W0603.
void fill_again(State& state, text::Span at, text::Diagnostics& diagnostics);

}  // namespace trellis::session
