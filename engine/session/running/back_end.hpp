#pragma once
// Which back end runs a kernel where nobody names one.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// That of the session; where the session may choose (Options::chooses_backend) and the run is estimated to take longer
/// than the C compiler does, or is scheduled for vector registers, that one, for which the run then waits.
run::Backend back_end_for(State& state, const lang::Kernel& kernel);

}  // namespace trellis::session
