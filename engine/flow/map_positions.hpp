#pragma once
// A result whose entries are known is read across its storage, where a pattern leads that is stored the other way: the
// rows of a factor by columns. Where the result has an entry of the pattern is noted once, for all of them, and then
// looked up as often as rows are walked.
//
//   for j { for i in M(:,j) { for k { M leads at row i: locate pL = find L.2 below [k] at i … } } }     L: csc, M: csr
//   →   map M_in_L from M to L      … locate pL = M_in_L[pM] in L.2 below [k] at i
//
// It costs as many steps as there are entries, and a number for each; so it is done where some loop around comes by the
// same rows again. Elsewhere a pointer for each fiber marches. (docs/design/recurrences.md#known-patterns)

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow map_positions(const Flow& flow);

/// The map from one to the other, which the flow has from now on.
std::string map_between(Flow& flow, const Tensor& from, const Tensor& to);

}  // namespace trellis::flow
