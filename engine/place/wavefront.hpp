#pragma once
// `wavefront t j 2`: the steps of tensors are counted along fronts (docs/design/recurrences.md#wavefronts): step t of
// element j is step t + 2 j. The equations are the same ones with other names for steps; what they need of each other
// is looked at as ever, and as few steps are kept.
//
//   H[t](j) = max(H[t-1](j-1) + s(t,j), H[t](j-1) + g, H[t-1](j) + g)
//   H[t](j) = max(H[t-2](j-1) + s(t-j,j), H[t-1](j-1) + g, H[t-1](j) + g)        wavefront t j
//
// What a tensor has at the end is the same: an element that no equation defines at a step keeps its value.

#include <optional>

#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::place {

/// The kernel with all of its fronts, and none left to take. E0163 where no steps go along one.
std::optional<lang::Kernel> along_fronts(const lang::Program& program, lang::Kernel kernel,
                                         text::Diagnostics& diagnostics);

}  // namespace trellis::place
