#pragma once
// for or forall, decided once a tree is finished (docs/design/placement.md#serial-and-parallel): a loop is serial iff
// it carries a flow dependence, of a value or of an initial value. Every element is written by one statement only, so
// no other dependence exists.

#include <string>
#include <vector>

#include "engine/place/temporaries.hpp"

namespace trellis::place {

struct Carried {
  bool flow = false;
  std::vector<std::string> reduces;  ///< accumulators that iterations update together, when no flow is carried
};

/// What the loop at `depth` around `inside[0]` carries between the fragments inside it.
Carried carried_by(const Tree& tree, Dependences& dependences, const std::vector<Initialiser>& initialisers,
                   const std::vector<int>& inside, std::size_t depth);

}  // namespace trellis::place
