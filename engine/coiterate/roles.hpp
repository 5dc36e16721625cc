#pragma once
// Which operands of a loop lead it, follow, and are looked up (docs/design/coiteration.md#roles): what is only met
// together with others and quickly found need not be walked.

#include "engine/coiterate/lattice.hpp"

namespace trellis::coiterate {

/// Gives each operand of the lattice, whose algebra is known, its role, and says why those that do not lead do not;
/// where none does, why every coordinate is visited.
void choose_roles(Lattice& lattice, const Surroundings& around);

}  // namespace trellis::coiterate
