#pragma once
// `split i into io ii 32`: every loop over i becomes two, whose iterations run in the same order.
//
//   for i in 0:n { x(i) = 0 }      →      for io in 0:(n - 1)/32 + 1 {
//                                           for ii in 0:min(n - 32*io, 32) { x(32*io + ii) = 0 } }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

struct Split {
  std::string loop, outer, inner;
  std::int64_t factor = 1;
};

Transformed split(const loop::Stmt& loops, const Split& how, math::Solver& solver);

}  // namespace trellis::schedule
