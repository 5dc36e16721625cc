#pragma once
// How often which values stand in a tensor: counts between round numbers.

#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.hpp"
#include "engine/view/extent.hpp"

namespace trellis::view {

struct Histogram {
  std::vector<double>
      edges;  ///< one more than counts; bin k is from edges[k] to below edges[k+1], the last one to its end
  std::vector<std::int64_t> counts;
  bool one_each = false;        ///< each whole number has a bin around it
  Extent extent;                ///< of the values; those that are not finite have no bin
  std::int64_t not_stored = 0;  ///< of a sparse tensor: elements that are not stored, which are not counted
};

/// About `bins` of them; whole numbers that are few enough get one each. Of a sparse tensor the stored elements.
Histogram histogram_of(const tensor::Tensor& tensor, int bins);

}  // namespace trellis::view
