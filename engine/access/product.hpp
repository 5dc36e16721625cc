#pragma once
// Levels that are walked as one, because their indices are the digits of one number (docs/design/shapes.md#products):
//
//   A(k/8, k%8)      8*A.1 + A.2 is k       an entry of A.2, below one of A.1, is at 8 times the one's coordinate plus
//   its own
//
// A digit may be moved or multiplied: `A(k/8, k%8 + 1)` walks those of A.2 in 1:9, less 1 each; others are passed by.
//
// Keys are compared, never taken apart: entries come in the order of their keys, fiber after fiber.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/access/level_index.hpp"
#include "engine/format/level.hpp"
#include "engine/math/affine.hpp"
#include "engine/math/digit_map.hpp"

namespace trellis::access {

/// Is it at least zero wherever the loop is reached? "No" only means "not proven".
using NonNegative = std::function<bool(const math::Affine&)>;

/// A level above the one whose entries are walked.
struct Digit {
  int level = 0;
  std::int64_t unit = 1;  ///< what one more of its coordinate adds to the key
  bool stored = false;    ///< what the level stores is walked; else every coordinate
  math::DigitMap map = {};
  bool operator==(const Digit&) const = default;
};

struct Product {
  math::Affine number;       ///< whose digits the indices are, as far as they are known
  std::vector<Digit> above;  ///< outermost first
  int level = 0;             ///< the last one: its digits are added as they are
  math::DigitMap own = {};   ///< of the last one
  math::Affine first, last;  ///< the least and the greatest key that there could be
};

/// From the level `first` on; nothing where indices are no digits of one number.
std::optional<Product> product(const lang::Access& access, const lang::TensorInfo& info,
                               const std::vector<format::Facts>& levels, int first, const std::string& variable,
                               const NonNegative& non_negative);

}  // namespace trellis::access
