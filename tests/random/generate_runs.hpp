#pragma once
// Random loops over operands that have one value along many coordinates, and do the same at each of them: sums in both
// arms of conditions, choices in all their spellings, argmin and argmax, beside operands of one region and of points.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_runs(Dice& dice);

}  // namespace trellis::randomised
