#pragma once
// An element that a sparse operand does not store is the fill for certain, whatever else is computed: where the fill
// decides an operation, it does so whatever the other operand is. `0 * inf` is 0 where the 0 is not stored, and
// not-a-number where it is.
//
//   A(i,j) * x(j)          A absent, x = inf: 0               min(D(i,k), e)    D absent, fill -inf: -inf
//   (A(i,j) + B(i,j)) * x  both absent: their sum is certain as well
//   sum(j)(A(i,j)) * x     a sum is computed, were all its terms absent

#include <cstdint>
#include <optional>

#include "engine/format/scalar.hpp"
#include "engine/lang/function.hpp"

namespace trellis::check {

enum class Certainty : std::uint8_t {
  computed,
  constant,  ///< the same at all elements
  absent     ///< not stored, or made of such elements and constants
};

/// Of what is made of two of them by an operation that neither decides.
Certainty both(Certainty a, Certainty b);

/// The result of an operation whose operand at `position` (0 or 1) is `value`, if that settles it.
std::optional<format::Value> annihilated(format::BinaryOp op, int position, const format::Value& value);
std::optional<format::Value> annihilated(format::Function function, const format::Value& value);
/// By what the user declared of a function.
std::optional<format::Value> annihilated(const lang::FunctionProperties& properties, int position,
                                         const format::Value& value);

}  // namespace trellis::check
