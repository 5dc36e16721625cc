#pragma once
// How costs grow with a size: curves on two logarithmic axes, where a power of the size is a straight line and its
// exponent the slope.
//
//   10000 │         a        s: steps       grows as m^1
//         │    ··        s   a: all elements          m^2
//     100 │a s   ·  ·
//         └──────────────
//          4     8       16

#include <optional>
#include <string>
#include <vector>

#include "engine/view/picture.hpp"

namespace trellis::view {

struct Growth {
  std::string size;           ///< "m"
  std::vector<double> sizes;  ///< rising
  struct Curve {
    std::string name;  ///< its first letter marks it
    std::vector<double> values;
  };
  std::vector<Curve> curves;
};

/// Of the power of the size that a curve grows with between its last two sizes; empty where that means nothing.
std::optional<double> exponent_of(const Growth& growth, const Growth::Curve& curve);
/// `m^1.98`; "" where it means nothing.
std::string power_of(const Growth& growth, const Growth::Curve& curve);

Picture growth_chart(const Growth& growth, const std::string& title);
/// For a terminal.
std::string growth_sketch(const Growth& growth);

}  // namespace trellis::view
