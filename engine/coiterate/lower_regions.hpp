#pragma once
// The leaves of every coiteration. Where the loop goes by points a leaf is the statement, lowered; where it goes by
// regions, all operands that are there from `i_first` to `i_last` are points, blocks or runs; what is not there is its
// fill all along, which is a run too (docs/design/coiteration.md#regions).
//
//   a point among them          let i = i_first { body }             the stretch is one coordinate
//   nothing needs i             body, lifted over the stretch
//   else                        loop i in i_first:i_last + 1 { body }    a plain loop, which may run in vectors

#include <vector>

#include "engine/coiterate/context.hpp"
#include "engine/coiterate/open_lattice.hpp"

namespace trellis::coiterate {

/// Of the operands that may be present, all are, or it is not known which.
enum class Present { all, some };
/// What is done at a coordinate, or along a region, of the point that is being lowered.
Stmt lower_leaf(Context& in, const OpenLattice& walk, const loop::Stmt& body, const std::vector<int>& present,
                Present which = Present::all);

}  // namespace trellis::coiterate
