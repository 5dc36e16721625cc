#pragma once
// Division as mathematics has it: quotients rounded down, remainders that are never negative.

#include <cstdint>

namespace trellis::math {

/// The largest q with q * b <= a for b > 0 (and q * b >= a for b < 0). `b` is not 0, and a / b not too large.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// What floor_div leaves; it has the sign of `b`.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace trellis::math
