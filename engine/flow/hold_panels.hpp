#pragma once
// A panel of a factorisation or a solve: a loop over one side of a tile that makes a row of it final in each iteration
// and takes that off the rows behind. The whole panel is a local array then, and its loops have known lengths, which
// the C compiler writes out, so that it stays in registers.
//
//   for k in 24*J:24*J + 24 {                             X_panel = X(24*J.., 8*I..)
//     for i in 8*I:8*I + 8 { X(k,i) = (A(i,k) -           for k in 0:24 {
//                                      X(k,i))/U(k) }       for i in 0:8 in vectors { X_panel(k,i) = … }
//     for j in k + 1:24*J + 24 {                      →     for j in 0:24 {
//       for i in 8*I:8*I + 8 { X(j,i) += X(k,i)*U(j) }        if (j > k) for i in 0:8 in vectors { X_panel(j,i) += … }
//     }                                                     }
//   }                                                     }
//                                                         X(24*J.., 8*I..) = X_panel
//
// Each element is computed from the same numbers in the same order. What edges clip, and all else, is as it was.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Behind hold_in_registers, whose marks its loops bear.
Flow hold_panels(const Flow& flow);

}  // namespace trellis::flow
