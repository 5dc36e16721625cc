#pragma once
// Which coordinates of a stored level are digits of a number, and of what value: a digit that an index moves or
// multiplies (docs/design/shapes.md#products).
//
//   A(k/8, k%8 + 1)     of A.2 those in 1:9, less 1         A(2*(k/8), k%8)     of A.1 every second one, halved

#include <cstdint>
#include <optional>
#include <string>

namespace trellis::math {

struct DigitMap {
  std::int64_t offset = 0, factor = 1;    ///< coordinate = factor * digit + offset, with a factor of at least 1
  std::optional<std::int64_t> low, high;  ///< coordinates before the one, and from the other on, are no digits
  bool operator==(const DigitMap&) const = default;

  bool is_identity() const { return offset == 0 && factor == 1; }
  bool leaves_out() const { return low || high || factor > 1; }
  bool takes(std::int64_t coordinate) const;
  /// Of a coordinate that it takes.
  std::int64_t digit(std::int64_t coordinate) const { return (coordinate - offset) / factor; }
};

/// Of a level's name: `A.2[1:9] - 1`, `(A.1 - 1)/2`.
std::string to_string(const DigitMap& map, const std::string& level);

}  // namespace trellis::math
