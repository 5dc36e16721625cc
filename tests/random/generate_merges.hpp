#pragma once
// Random expressions whose operands all meet in the same loops: sums, products, minima, conditions of two to five
// vectors or matrices that are indexed alike, each as often as chance has it. What runs out first, and what outlasts
// it, differs with the data, so that every point of a lattice and every case gets its turn.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_merges(Dice& dice);

}  // namespace trellis::randomised
