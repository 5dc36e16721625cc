#pragma once
// `registers i j`: the tile that the loops over i and j go over is held in registers while a loop around adds to it.
// The mark stands at the loops; what comes of it is written out where storage is known (flow/hold_in_registers.hpp),
// which also says where no tile is. Where the loop around goes on to where each of its iterations adds to a part of the
// tile alone, it is cut there, and whatever else it does goes to a loop of its own:
//
//   for k in 0:8*j_8 + 8 { if 8*j_8 <= k { A }  for j in max(k + 1, 8*j_8):8*j_8 + 8 { for i in tile { t(i,j) += … } } }
//   →   for k in 0:8*j_8 { for j in 8*j_8:8*j_8 + 8 registers { for i in tile registers { t(i,j) += … } } }
//       for k in 8*j_8:8*j_8 + 8 { A  for j in k + 1:8*j_8 + 8 … }
//
// Sums are continued in their order. What is done apart shares no tensor, or each iteration has its part of it to
// itself: there is nothing else to prove.

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// The loops with this mark at those over the two variables.
loop::Stmt in_registers(const loop::Stmt& loops, const std::string& rows, const std::string& columns,
                        math::Solver& solver);

}  // namespace trellis::schedule
