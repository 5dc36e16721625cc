#pragma once
// How loops run, decided from what they carry: `for` or `forall`, and the marks of `parallel`, `vectorize` and
// `unroll`.

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// What the loops over one variable carry.
struct Carries {
  int loops = 0;
  const Dependence* order = nullptr;  ///< one that forbids any other order of the iterations
  std::vector<std::string> reduces;   ///< what iterations update together, when there is none
};

/// Loops without a number, which a transformation made, become forall when they carry no dependence.
loop::Stmt decide_kinds(const loop::Stmt& loops, const Nest& nest);

/// Every loop over the variable, changed.
loop::Stmt on_loops(const loop::Stmt& loops, const std::string& variable,
                    const std::function<void(loop::For&)>& change);

/// What one loop carries, by its number in the text among `for` and `while` alike, from 1.
Carries carries(const Nest& nest, int loop);
/// What the loops over `variable` carry.
Carries carries(const loop::Stmt& loops, const Nest& nest, const std::string& variable);

}  // namespace trellis::schedule
