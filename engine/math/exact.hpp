#pragma once
// Sums, differences and products of 64-bit integers, empty where 64 bits do not hold them.

#include <cstdint>
#include <optional>

namespace trellis::math {

inline std::optional<std::int64_t> exact_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<std::int64_t> exact_difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<std::int64_t> exact_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

}  // namespace trellis::math
