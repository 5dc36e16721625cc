#pragma once
// Random nests whose iterations wait for earlier ones of an outer loop, on ranks that hand on what they have computed
// behind every block of an inner loop: loops in place, up and down, with neighbours on all sides, sums besides, and
// equations. Those that may not go block by block are refused, and make no program.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_pipeline(Dice& dice);

}  // namespace trellis::randomised
