#pragma once
// The bodies of several iterations as one (flow/unroll_and_jam.hpp).

#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct Jammed {
  Stmt body;
  bool shares = false;  ///< a loop inside runs once for all iterations
};

/// One body for each iteration, alike but for what depends on the iteration; what each of them declares or binds has a
/// name of its own, loops and cursors apart.
Jammed jam_bodies(const std::vector<Stmt>& iterations);

}  // namespace trellis::flow
