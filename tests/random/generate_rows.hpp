#pragma once
// Recurrences from row to row: a row is computed of rows before it and of operands, element by element.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_rows(Dice& dice);

}  // namespace trellis::randomised
