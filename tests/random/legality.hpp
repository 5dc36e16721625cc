#pragma once
// Is an order legal? Decided by search over explicit iterations, as docs/design/placement.md defines the word: some
// tree of loops exists whose every path follows the order, each piece's variables mapped one to one onto its path (a
// listed variable to its own name or an earlier one, an unlisted one to any; tiles to loops over tiles of their size),
// such that execution respects every dependence.
//
// Two deciders, one for each need:
//
// `exists_tree` is literal. It enumerates the trees and the mappings and compares, for every dependence, when the two
// iterations run. Exponential in everything; for two or three small pieces.
//
// `is_legal` searches body by body, and is exact because of three facts about the pieces G that are to be placed in one
// body, with those dependences that are still live there (equal on all enclosing loops):
//   1. Pieces of one strongly connected component must be in one child of the body: children run one after the other,
//      so the dependences between different children form no cycle.
//   2. If some child holds several components, it can be cut into one copy per component: leaving pieces out of a tree
//      does not change the order in which the others' iterations run, and no cycle is left between the copies, which
//      are then put in topological order. So G is legal exactly when each of its components is legal on its own.
//   3. A component that is a single piece without a live dependence on itself needs only names for its variables. Any
//      other component's child is a loop: every name that is still to come, and every choice of one variable for each
//      piece, is tried; the dependences that this loop satisfies are dropped, and what is left is a body again.
// What is tried is every name and every mapping that the definition admits, so nothing is missed; what is dropped is
// ordered by a loop that is entered, so nothing is accepted wrongly.

#include "engine/lang/schedule.hpp"
#include "tests/random/instances.hpp"

namespace trellis::randomised {

bool is_legal(const Instances& instances, const lang::Order& order);
bool exists_tree(const Instances& instances, const lang::Order& order);

}  // namespace trellis::randomised
