#pragma once
// Supernodes of a factor: runs of neighbouring columns whose rows below the run are the same, so that they are one
// dense panel. Sources: Liu, Ng and Peyton, On finding supernodes for sparse matrix computations; Ashcraft and Grimes,
// The influence of relaxed supernode partitions on the multifrontal method; docs/design/blocks.md#supernodes.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor/fill_in.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// Of a closed pattern: column k with an entry in row j > k has entries in no rows below j but those of column j.
/// `columns`: the rows of each below the diagonal, sorted. Gives the first column of each supernode. Column j + 1 joins
/// j where that is its parent and has as many rows. With `relax` supernodes also join the one behind that has their
/// parent: to at most 4 columns; to 16 where fewer than 80 % of what is stored then are zeros; to `relax` where fewer
/// than 10 % are; to any number where fewer than 5 % are. O(columns).
std::vector<std::int32_t> supernodes(const Lists& columns, std::optional<std::int64_t> relax);

/// The columns with all rows of their supernodes from their own on: column j of one that ends before `end` has the rows
/// j + 1 … end - 1, and below what column end - 1 has. With `diagonal` it has row j too.
Lists panels(const Lists& columns, const std::vector<std::int32_t>& firsts, bool diagonal);

/// What each column of a pattern in {dense, compressed} has below the diagonal.
Lists below_diagonal(const Tensor& pattern);

}  // namespace trellis::tensor
