#pragma once
// Programs that walk tensors flattened at different cuts beside each other, moved, turned around, in steps, within
// outer loops, and into results of any format.

#include "tests/random/draft.hpp"
#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_products(Dice& dice);

}  // namespace trellis::randomised
