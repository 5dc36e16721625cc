#pragma once
// What stands around one walk of a loop over stored entries: the walks that it is inside of, and what a workspace
// holds.
//
//   C(i,j) += A(i,k) * B(k,j), in row k = 2 of B: around it the walk over row i of A, which stands at its entry of column 2

#include <map>
#include <string>
#include <vector>

#include "engine/explore/lattice_trace.hpp"

namespace trellis::explore {

/// The steps at which the loops around that walk entries have visited what they are at now, outermost first. Loops
/// around without a lattice have none.
std::vector<std::size_t> steps_around(const LatticeTrace& trace, std::size_t step);

/// By element: what has been written into a tensor in the first `taken` steps, since the loop around the last of them
/// began, or since everything did where there is none.
std::map<tensor::Index, format::Value> written_since_around(const LatticeTrace& trace, std::size_t taken,
                                                            const std::string& tensor);

}  // namespace trellis::explore
