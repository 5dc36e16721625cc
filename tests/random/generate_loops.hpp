#pragma once
// Random loop programs: nests of up to three loops with triangular and shifted ranges, both directions, conditions on
// indices and on data, bounded `while`, `let`, temporaries, gathers and scatters, reductions inside expressions, every
// update.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_loops(Dice& dice);

}  // namespace trellis::randomised
