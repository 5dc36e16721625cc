#pragma once
// `show cost`: the loops with the part that each line has in the estimated time.
//
//    1 %  forall i in 0:n {
//           y(i) = 0
//   97 %    forall j in 0:n reduces y {

#include <map>

#include "engine/text/text.hpp"

namespace trellis::session {

/// `shares`: by number of a node of the loops, of 1. A line has those of the nodes that begin in it; what is below half
/// a percent shows as `·`.
text::Text cost_text(const text::Text& loops, const std::map<int, double>& shares);

}  // namespace trellis::session
