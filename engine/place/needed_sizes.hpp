#pragma once
// Which sizes must not be 0 for all reads to be in range: what a caller with sizes of its own has to keep.
//
//   y(i) = A(i,0)      1 <= m          y(i) = A(i,j) * x(j)      nothing

#include <vector>

#include "engine/place/analysis.hpp"

namespace trellis::place {

/// Of what `usual_sizes` takes for granted, enough for every read, and nothing that could be left out.
std::vector<math::Constraint> needed_sizes(const Analysis& analysis);

}  // namespace trellis::place
