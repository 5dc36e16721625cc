#pragma once
// Random array expressions over operands in sparse formats: up to five operands of order up to four, several statements
// with temporaries, conditions, offsets, reversals, strides, diagonals, gathers, reductions of every kind, over fills
// 0, 1, 2, 3 and infinity. Defined everywhere: reads are in range, and of what earlier equations computed.

#include "tests/random/generate.hpp"
#include "tests/random/random_format.hpp"

namespace trellis::randomised {

Draft generate_sparse(Dice& dice, const SparseWishes& wishes);

}  // namespace trellis::randomised
