#pragma once
// Statements of the loops to statements of the flow. What each kind of loop, look-up and assignment becomes is for the
// files of those to say; their bodies come back here.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// What it reads that is neither dense nor among the entries is looked up before it.
Stmt lower_stmt(Context& in, const loop::Stmt& s);

}  // namespace trellis::coiterate
