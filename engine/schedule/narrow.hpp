#pragma once
// `narrow H E i16`: the steps of these tensors are kept and computed in 16 bits, less a base, in runs of so many steps
// (docs/design/recurrences.md#narrow-types). Before each run it is known how far what is there may grow in it; where
// that does not fit, the run is computed as it was written. So nothing saturates, and no run is repeated.
//
//   for d in 1:n { forall i in 0:d {               for run in 0:(n - 1 + 1023)/1024 {
//     H_steps(d%2,i) = max(H_steps(…), …) } }  →     H_lowest, H_highest = what is there, and what the run may make of it
//                                                    if H_highest - H_lowest <= 65532 {
//                                                      H_base = (H_lowest + H_highest)/2
//                                                      H_i16 = i16(H_steps - H_base)
//                                                      for d in … { forall i in … { H_i16(d%2,i) = max(H_i16(…), …) } }
//                                                      H_steps = H_i16 + H_base
//                                                    } else { for d in … { … } } }

#include "engine/schedule/narrow_values.hpp"

namespace trellis::schedule {

/// The loops in which the steps of the tensors are kept narrow, or why they cannot be.
std::variant<loop::Stmt, Unsuited> narrow(const loop::Stmt& loops, const std::vector<std::string>& tensors,
                                          const lang::Program& program, RunSizes sizes = {});

}  // namespace trellis::schedule
