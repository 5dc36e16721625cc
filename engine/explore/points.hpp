#pragma once
// Where a step of an execution stands in the indices of its equation, whatever the schedule has made of its loops:
// renamed, split, skewed or tiled. It is read off the elements that the step writes and reads, whose indices are affine
// in them. What these leave open, since a temporary is a scalar, say, or one tensor is read twice, loops of the same
// names say, if every access then touches what the step touches.
//
//   V(i,j) = max(k)(V(k,j-1) * …), j split into jo, ji     a step that writes V(2,5), reads V(1,4):   i=2, j=5, k=1

#include <functional>
#include <vector>

#include "engine/explore/trace.hpp"
#include "engine/place/place.hpp"

namespace trellis::explore {

struct StepPoint {
  int fragment = -1;  ///< -1: none, or several that were merged
  text::Point point;  ///< the fragment's variables, as far as elements tell
};

/// The fragments that a statement of the nest, or of the control flow, comes from.
using FragmentsOf = std::function<std::vector<int>(int statement)>;

/// Of one step; `sizes` are the parameters of the execution.
StepPoint point_of(const Trace::Step& step, const place::Fragments& fragments, const FragmentsOf& fragments_of,
                   const std::map<std::string, format::Value>& sizes);

}  // namespace trellis::explore
