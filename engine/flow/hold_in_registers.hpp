#pragma once
// A tile of a tensor in a local array of two known sizes while a loop adds to all of it, which the C compiler keeps in
// registers. Asked for by `registers i j` (schedule/registers.hpp), of the loops over the tile:
//
//   for k in 0:n                                      declare C_tile[8][24]
//     for i in 8*i_8:min(n, 8*i_8 + 8)                C_tile = what is in C there
//       for j in 24*j_24:min(m, 24*j_24 + 24)   →     for k { for i_in in 0:8 { for j_in in 0:24 in vectors { … } } }
//         C[i][j] += A[i][k] * B[k][j]                C has what is in C_tile
//
// Vectors go along the loop whose elements are stored side by side, whichever of the two it is.
//
// Each element adds up the same terms in the same order as before. At the border some elements of a tile are not there.
// Where what is read there is in storage all the same, as in strips (schedule/pack.hpp), they are computed too, and
// nobody sees it; else tiles that are not whole run as they did. (docs/design/blocks.md#registers)

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// Before sums become local variables (promote_accumulators), and behind what moves conditions out of loops. E0160
/// where the schedule asks for it and no tile can be held.
std::optional<Flow> hold_in_registers(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
