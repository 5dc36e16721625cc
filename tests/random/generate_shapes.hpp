#pragma once
// Programs that compose shape operators with each other, with arithmetic and with reductions, over sizes that are
// numbers, names, and sums and products of those.

#include "tests/random/draft.hpp"
#include "tests/random/generate.hpp"

namespace trellis::randomised {

/// With a size `n` that nobody binds, or numbers alone.
enum class SizeKind { named, numbers };
Draft generate_shapes(Dice& dice, SizeKind kind);

}  // namespace trellis::randomised
