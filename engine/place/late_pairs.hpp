#pragma once
// What a finished tree does wrong: the pairs of a dependence whose writer does not run before its reader. A legal tree
// has none, which is what the certificate says; the replay of an illegal order shows them.

#include <vector>

#include "engine/place/dependences.hpp"
#include "engine/place/tree.hpp"

namespace trellis::place {

/// Those of `pairs`, in one part for each loop around both fragments at which they run the wrong way round, and one for
/// those that run in the same iteration with the reader first. Parts are not empty.
std::vector<Dependences::Id> late_pairs(const Tree& tree, Dependences& dependences, int writer, int reader,
                                        Dependences::Id pairs);

}  // namespace trellis::place
