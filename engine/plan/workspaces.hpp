#pragma once
// Other ways to collect what a result cannot be appended as it comes: `workspace w for C(i,:) hash`. Which takes least
// depends on how full its slices are: a bytemap has a place for each coordinate, so that a long row is spread over
// memory, a table is as large as what is in it, and each insertion looks for its place; lists are written one entry
// after the other and sorted in the end, which takes the longer the more of them come. A dense one would store all of
// its elements in the result, which is another structure: it is left to who asks for it.

#include <vector>

#include "engine/compile.hpp"

namespace trellis::plan {

/// Of each result that the loops collect, by slices or whole, the kinds that it does not have now.
std::vector<lang::Schedule::Workspace> workspaces(const Compilation& compiled);

}  // namespace trellis::plan
