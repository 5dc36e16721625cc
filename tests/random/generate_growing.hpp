#pragma once
// Random programs whose sparse result is read while it is still appended to: by its own equations, an element or a row
// back, and by others, along diagonals and whole fibers. Most of what it is computed from is at the fill, so that
// entries, fibers and the ends of blocks are missing anywhere.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_growing(Dice& dice);

}  // namespace trellis::randomised
