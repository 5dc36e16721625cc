#pragma once
// What updates leave everything as it is: `x += 0`, `b min= inf`.

#include <optional>

#include "engine/format/scalar.hpp"

namespace trellis::format {

/// Empty for updates by functions, and for argmin and argmax.
inline std::optional<Value> neutral_element(ReduceOp op, ScalarType type) {
  return op == ReduceOp::user || is_arg(op) ? std::nullopt : std::optional(identity(op, type));
}

}  // namespace trellis::format
