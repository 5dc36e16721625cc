#pragma once
// Which back end runs a kernel where nobody names one: libtcc at once, and the C compiler beside it, whose code runs
// from then on when it is there. Results are the same, bit for bit.

#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct BackEnd {
  run::Backend backend;
  std::string why = {};  ///< in a phrase; empty where somebody named it, and of the jit where it is all that pays
};

/// That of the session, where it may not choose (Options::chooses_backend). Else the C compiler's where its code is
/// there, or where the run is estimated to take longer than compiling or is scheduled for vector registers, for which
/// it then waits; else libtcc's, and the C compiler begins beside the session, unless the kernel is so short that this
/// would never pay, or it has failed before in this session (N0609, once).
BackEnd back_end_for(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::session
