#pragma once
// Iterations as commands write them.

#include <string>

#include "engine/loop/interpret.hpp"

namespace trellis::session {

/// `i=1,j=0`, empty when it is written otherwise.
loop::LoopValues read_iteration(std::string written);

}  // namespace trellis::session
