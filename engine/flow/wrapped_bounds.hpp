#pragma once
// Bounds and indices that 64 bits do not hold, at given sizes: `i < 8*n` where n is 2^61. What is proven of a program
// is about integers without end; where those of the machine wrap around, a loop has other bounds than it should.
//
// Intervals of what loops, conditions and positions compute are followed through the flow. Values of elements, which
// wrap as the language says, are none of it; nor is what is computed of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Farther from 0 no bound may be: loops add and subtract a little of their own.
inline constexpr std::int64_t largest_bound = std::int64_t{1} << 62;

struct Overflow {
  Expr expr;           ///< a sum, a difference or a product
  std::string result;  ///< what it may come to, in decimal digits
};

/// The first one, in the order of statements.
std::optional<Overflow> find_overflow(const Flow& flow, const std::map<std::string, std::int64_t>& sizes);

}  // namespace trellis::flow
