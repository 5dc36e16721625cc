#pragma once
// The bodies of several rounds as one (flow/jam_loops.hpp).

#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct Jammed {
  Stmt body;
  bool shares = false;  ///< a loop inside runs once for all rounds
};

/// One body for each round, alike but for what depends on the round; what each of them declares or binds has a name of
/// its own, loops and cursors apart.
Jammed jam_bodies(const std::vector<Stmt>& rounds);

}  // namespace trellis::flow
