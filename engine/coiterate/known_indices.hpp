#pragma once
// What it says of an index that an operand has an entry there: that it is in range. Where a full level has none, it is
// not. So guards of shifted accesses are decided where a loop goes by regions, in which the coordinate that they ask
// about may have no value of its own:
//
//   (0 <= y - 1 ? A(y-1,x) : true) && A(y,x)      A(y-1,:) there: A(y-1,x) && A(y,x)      not there: A(y,x)

#include <vector>

#include "engine/coiterate/offers.hpp"

namespace trellis::coiterate {

struct Surroundings;

/// Forms that are at least 0.
using Known = std::vector<math::Affine>;

/// Where the operand has an entry.
Known where_present(const Literal& literal, const Surroundings& around);
/// Where it has none, within the loop; nothing of a level with gaps, or of one whose fiber may be missing itself.
Known where_absent(const Literal& literal, const loop::For& loop, const Surroundings& around);

/// The body with the comparisons that this decides, simplified.
loop::Stmt with_known(const loop::Stmt& body, const Known& known, const Surroundings& around);

}  // namespace trellis::coiterate
