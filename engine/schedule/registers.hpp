#pragma once
// `registers i j`: the tile that the loops over i and j go over is held in registers while a loop around adds to it.
// The mark stands at the loops; what comes of it is written out where storage is known (flow/hold_in_registers.hpp),
// which also says where no tile is. Sums are continued in their order, so that there is nothing to prove.
//
//   for k { for i in 8*i_8:8*i_8 + 8 registers { for j in 24*j_24:24*j_24 + 24 registers { C(i,j) += A(i,k)*B(k,j) } } }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// The loops with this mark at those over the two variables.
loop::Stmt in_registers(const loop::Stmt& loops, const std::string& rows, const std::string& columns);

}  // namespace trellis::schedule
