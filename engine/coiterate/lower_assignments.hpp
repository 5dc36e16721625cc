#pragma once
// What assignments become, by the storage of their target.
//
//   dense       y[i] = …
//   result      append to C at [i, j]                          in order
//   workspace   insert pw in w.1 at j: w[pw] += …              a fill is only stored over what is there already

#include <string>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// What it reads has been found.
Stmt lower_assign(Context& in, const loop::Stmt& s, const loop::Assign& a);

/// A result that is appended to, a level of which keeps runs and is indexed by the variable, as no other one is.
bool takes_runs(Context& in, const lang::Access& target, const std::string& variable);

}  // namespace trellis::coiterate
