#pragma once
// The levels of a tensor by their number, which nodes of the flow hold as `int`.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

inline int levels_of(const Tensor& tensor) { return static_cast<int>(tensor.levels.size()); }
inline const format::Facts& facts_of(const Tensor& tensor, int level) {
  return tensor.levels[static_cast<std::size_t>(level)].facts;
}

}  // namespace trellis::flow
