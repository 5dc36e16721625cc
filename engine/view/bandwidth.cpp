#include "engine/view/bandwidth.hpp"

#include <algorithm>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/view/cells.hpp"

namespace trellis::view {

Bandwidth bandwidth_of(const tensor::Tensor& matrix) {
  Bandwidth band;
  const auto add = [&](const tensor::Index& index) {
    band.below = std::max(band.below, index[0] - index[1]), band.above = std::max(band.above, index[1] - index[0]);
  };
  if (matrix.dense())
    tensor::for_each_index(matrix.shape(), [&](const tensor::Index& index) {
      if (!is_fill(matrix.get(index), matrix.fill())) add(index);
    });
  else tensor::for_each_listed(matrix, [&](const tensor::Index& index, const format::Value&) { add(index); });
  return band;
}

}  // namespace trellis::view
