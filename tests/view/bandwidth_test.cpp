// How far from the diagonal a matrix has elements.
#include "engine/view/bandwidth.hpp"

#include <doctest/doctest.h>

using namespace trellis;

TEST_CASE("bandwidth: the farthest element on either side, listed or other than the fill") {
  const auto one = format::Value::of(format::ScalarType::f64, 1);
  tensor::Tensor dense = tensor::Tensor::create(format::ScalarType::f64, {4, 4}, *format::Format::named("dense", 2),
                                                format::Value::of(format::ScalarType::f64, 0))
                             .value();
  CHECK(view::bandwidth_of(dense) == view::Bandwidth{0, 0});
  for (const tensor::Index& index : {tensor::Index{2, 1}, tensor::Index{0, 3}, tensor::Index{1, 1}})
    dense.set(index, one);
  CHECK(view::bandwidth_of(dense) == view::Bandwidth{1, 3});
}
