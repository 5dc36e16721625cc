#pragma once
// What indices and sizes are where their names have values.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/math/division.hpp"
#include "engine/math/index_map.hpp"

namespace trellis::math {

using Values = std::map<std::string, std::int64_t>;

inline std::int64_t value_of(const Affine& size, const Values& values) {
  return *size.evaluate([&](const std::string& name) { return std::optional(values.at(name)); });
}

inline std::int64_t value_of(const Index& x, const Values& values) {
  std::int64_t sum = value_of(x.constant, values);
  for (const auto& [part, factor] : x.parts) {
    std::int64_t one = part.digit ? floor_div(value_of(*part.digit->of, values), value_of(part.digit->over, values))
                                  : values.at(part.name);
    if (part.digit && !part.digit->top) one = floor_mod(one, value_of(part.digit->span, values));
    sum += value_of(factor, values) * one;
  }
  return sum;
}

}  // namespace trellis::math
