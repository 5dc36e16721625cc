#pragma once
// Random products in which the rows of sparse matrices lead to elements of others: vectors and columns read through one
// matrix or several, forwards and transposed, sums, maxima and minima, steps in which what is read was computed before;
// on ranks that are cut evenly, by a matrix's entries or by parts of its graph.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_walks(Dice& dice);

}  // namespace trellis::randomised
