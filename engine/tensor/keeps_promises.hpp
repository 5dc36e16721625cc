#pragma once
// Whether an index tensor's values are what its declaration promises (format/promises.hpp).

#include <cstdint>
#include <optional>
#include <string>

#include "engine/format/promises.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// What tells against it: an element, or two of them.
struct BrokenPromise {
  std::string promise;  ///< "sorted"
  Index first, second;  ///< the second is empty where one element tells
  std::int64_t value_first = 0, value_second = 0;
};
/// "p(0) and p(3) are both 2".
std::string in_words(const BrokenPromise& broken, const std::string& tensor);

/// low <= value < high, if there are such. One pass over all elements; `injective` takes a set of them.
std::optional<BrokenPromise> broken_promise(const Tensor& tensor, const format::Promises& promises,
                                            std::optional<std::int64_t> low, std::optional<std::int64_t> high);

/// Dense integers that keep the promises, from [low, high); false where there are not as many numbers as that takes.
bool fill_as_promised(Tensor& tensor, const format::Promises& promises, std::int64_t low, std::int64_t high,
                      std::uint64_t seed);

}  // namespace trellis::tensor
