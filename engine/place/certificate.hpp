#pragma once
// The proof that a finished tree is right (docs/design/placement.md#certificate), for all sizes. It looks at the tree
// and the exact dependences only, not at how the search came to it: every dependence is respected, that of buffers
// which several timesteps share too, and every fragment has exactly one loop for each variable.

#include <string>
#include <variant>

#include "engine/place/analysis.hpp"
#include "engine/place/buffers.hpp"
#include "engine/place/placement.hpp"
#include "engine/place/temporaries.hpp"

namespace trellis::place {

/// A certificate, or what is violated; the latter is a bug of this compiler.
std::variant<Certificate, std::string> certify(const Tree& tree, Dependences& dependences,
                                               const std::vector<Initialiser>& initialisers, const Analysis& analysis,
                                               const BufferPlan& buffers);

}  // namespace trellis::place
