#pragma once
// `skew i j 2`: loops over j inside loops over i count j + 2 i, under the name j; iterations run in the same order.
// What makes it useful is a `reorder j i` behind it: iterations with the same j are then independent of each other.
//
//   for i in 0:n { for j in 0:m { x(i,j) = 0 } }      →      for i in 0:n { for j in 2*i:m + 2*i { x(i, j - 2*i) = 0 } }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

struct Skew {
  std::string outer, inner;
  std::int64_t factor = 1;
};

Transformed skew(const loop::Stmt& loops, const Skew& how);

}  // namespace trellis::schedule
