#pragma once
// Whether two flows are the same: nodes compare without origins and places in programs, and so do flows.

#include <algorithm>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::testing {

/// Zero, whatever its type, or the same.
inline bool same_fill(const flow::Tensor& a, const flow::Tensor& b) {
  return format::cast(a.type, a.fill) == format::cast(b.type, b.fill);
}

inline bool same_tensor(const flow::Tensor& a, const flow::Tensor& b) {
  const auto same_level = [](const flow::Level& x, const flow::Level& y) {
    return x.size == y.size && x.facts == y.facts;
  };
  return a.name == b.name && a.type == b.type && std::ranges::equal(a.levels, b.levels, same_level) &&
         a.order == b.order && a.storage == b.storage && same_fill(a, b) && a.pattern == b.pattern &&
         a.readable == b.readable && a.entries_of == b.entries_of && a.same_as == b.same_as && a.live == b.live;
}

inline bool same_function(const flow::Function& a, const flow::Function& b) {
  return a.name == b.name && std::ranges::equal(a.parameters, b.parameters, same_tensor) &&
         std::ranges::equal(a.locals, b.locals, same_tensor) && a.body == b.body && a.result == b.result &&
         a.annihilators == b.annihilators;
}

inline bool same_map(const flow::PositionMap& a, const flow::PositionMap& b) {
  return a.name == b.name && a.from == b.from && a.to == b.to;
}

/// What differs first; empty: nothing does.
inline std::string difference(const flow::Flow& a, const flow::Flow& b) {
  if (a.kernel != b.kernel) return "kernel";
  if (a.tells_steps != b.tells_steps) return "whether it tells its steps";
  if (a.sizes != b.sizes || a.reals != b.reals) return "parameters";
  if (a.tensors.size() != b.tensors.size()) return "tensors";
  for (std::size_t k = 0; k < a.tensors.size(); ++k)
    if (!same_tensor(a.tensors[k], b.tensors[k])) return "tensor " + a.tensors[k].name;
  if (!std::ranges::equal(a.functions, b.functions, same_function)) return "functions";
  if (!std::ranges::equal(a.maps, b.maps, same_map)) return "maps";
  return a.root == b.root ? "" : "statements";
}

}  // namespace trellis::testing
