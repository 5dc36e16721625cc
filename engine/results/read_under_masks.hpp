#pragma once
// A result holds its fill where its masks store nothing. A loop that would look each of its elements up, and does
// nothing for those at the fill, goes by the mask that is stored as it walks:
//
//   for k in 0:j { t += L(j,k) * x(k) }        L: csc, with masks M in csc and R in csr
//   →   for k in 0:j { if R(j,k) { t += L(j,k) * x(k) } }
//
// Of a product of two of its elements, both: two rows of R are walked side by side.

#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// `masks` of one tensor, which the kernel does not write.
loop::Stmt read_under_masks(const loop::Stmt& loops, const lang::TensorInfo& tensor,
                            const std::vector<const lang::TensorInfo*>& masks);

}  // namespace trellis::results
