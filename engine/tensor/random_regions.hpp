#pragma once
// Runs, blocks and bands by chance, for formats that have levels of them: `random` with what such a format is made for.

#include <cstdint>
#include <functional>

#include "engine/tensor/cancelled.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

struct RegionDrawing {
  std::uint64_t key = 0;  ///< of the seed
  double density =
      1;  ///< what part of a fiber of the last level is covered; outer levels are covered as far as they can be
  std::function<format::Value(std::uint64_t number)> value;  ///< the same for the same number
  std::function<void(const Index& index, const format::Value& value)> put;
  Cancelled cancelled = {};
};

/// About how many entries draw_regions makes.
double expected_entries(const Tensor& tensor, double density);

/// Level by level, outermost first: runs and blocks of 1 to 8 coordinates, the coordinates of a run with the same
/// contents; of a level of single regions one in each fiber. False when cancelled.
bool draw_regions(const Tensor& tensor, const RegionDrawing& drawing);

}  // namespace trellis::tensor
