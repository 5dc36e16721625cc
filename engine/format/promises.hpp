#pragma once
// What a declaration promises of the values of an index tensor, so that loops may count on it: `tensor p(n): i64
// sorted`. Data is checked when it arrives (tensor/keeps_promises.hpp). Source: the index-array properties of
// "Polyhedral Specification and Code Generation of Sparse Tensor Contraction with Co-Iteration", section 4, "periodic"
// among them.

#include <optional>
#include <string>

#include "engine/math/affine.hpp"

namespace trellis::format {

/// The order is that along the last dimension, below each index of the others.
struct Promises {
  bool sorted = false, decreasing = false;  ///< values never fall, never rise
  bool strictly = false;                    ///< nor do neighbours equal each other
  bool injective = false;                   ///< no value comes twice, in all of the tensor
  std::optional<math::Affine> low, high;    ///< low <= value < high
  bool operator==(const Promises&) const = default;

  bool any() const { return sorted || decreasing || injective || low || high; }
};

/// As a declaration says it: "sorted(strictly) injective range(0, n)"; empty where nothing is promised.
std::string to_string(const Promises& promises);

}  // namespace trellis::format
