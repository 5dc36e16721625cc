#pragma once
// Entries that lie in files, put near those that they will be stored beside, in one pass through them: packing asks for
// entries in the order of their coordinates, and would read a page of the file for each otherwise.
//
//   rows 7 0 5 2 6 1 4 3, two parts     ->     0 2 1 3, 7 5 6 4: each part in the order of the file
//
// Each part is a fraction of what memory may hold. What is in memory stays as it is.

#include <vector>

#include "engine/tensor/cancelled.hpp"
#include "engine/tensor/coordinates.hpp"

namespace trellis::tensor {

/// `order`: the dimensions, that which is stored outermost first. False when it was cancelled. Throws std::bad_alloc
/// when the disk is full.
bool bring_together(Coordinates& coordinates, const std::vector<int>& order, const Cancelled& cancelled = {});

}  // namespace trellis::tensor
