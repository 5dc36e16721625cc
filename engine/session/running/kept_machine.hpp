#pragma once
// What `trellis bench machine` measured of this machine, kept beside native code (engine/run/cache.hpp).

#include "engine/cost/machine.hpp"

namespace trellis::session {

/// The reference machine where nothing was measured.
cost::Machine kept_machine();
/// Where it was kept; empty: it could not be.
std::string keep_machine(const cost::Machine& machine);

}  // namespace trellis::session
