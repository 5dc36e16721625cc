#pragma once
// Programs that read sparse operands at indices that come from index tensors, about which declarations promise this or
// that, with finds that hold there or do not; and loops that write at such indices on threads.

#include "tests/random/draft.hpp"
#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_gathers(Dice& dice);

}  // namespace trellis::randomised
