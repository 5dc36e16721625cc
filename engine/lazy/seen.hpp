#pragma once
// What runs have found, for plans to come: how much of an expression was stored, where that was far from what was
// expected (docs/design/arrays.md#planning-anew).

#include <map>
#include <string>

namespace trellis::lazy {

/// Entries by `canonical` of the expression (queries.hpp).
using Seen = std::map<std::string, double>;

/// Ten times as many as expected, or a tenth.
inline bool is_far_off(double expected, double stored) {
  constexpr double far = 10;
  return stored + 1 > far * (expected + 1) || expected + 1 > far * (stored + 1);
}

}  // namespace trellis::lazy
