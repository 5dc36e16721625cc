#pragma once
// How far apart two evaluations of one expression may be that read the same elements, when each rounds and adds up the
// terms of sums in an order of its own. It is carried along with the value:
//
//   what is read, a constant, an index     nothing
//   a sum of n terms (a + b, a - b too)     max(8 (1 + sqrt n), n) eps sum|terms|, and what each term brings along
//   a product, a quotient, a function       what becomes of its operands at the ends of their ranges, and 2 eps |value|
//   min, max                                the largest of its operands'
//   a comparison, a cast to an integer      nothing where every value in range gives the same; else it is undecided
//
// Of few terms, the factor is that of sums whose rounding errors are independent of each other (Higham, Accuracy and
// Stability of Numerical Algorithms, 2.8 and 4.2), with room to spare: sparse factors stay below 10 eps. Of many terms
// they are not: one after the other, ones of f32 come to 2^24 and no farther. Twice n eps / 2, the bound of 4.2 for one
// sum, holds between any two orders.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "engine/format/scalar.hpp"

namespace trellis::check {

struct Rounding {
  double error = 0;   ///< of all but the sum that the value is, if it is one
  double spread = 0;  ///< eps sum|terms| of that sum
  double terms = 0;   ///< so many, zeros aside; 0: it is no sum
  double bound() const { return error + std::max(8 * (1 + std::sqrt(terms)), terms) * spread; }
  /// Every evaluation gives the same bits.
  bool exact() const { return bound() == 0; }
};

/// Any value at all may be right.
inline constexpr Rounding undecided{std::numeric_limits<double>::infinity(), 0, 0};

/// A value with what rounding makes of it.
struct Rounded {
  format::Value value;
  Rounding rounding;
};

/// Of `a + b`, and of `a - b`.
Rounding of_sum(const Rounded& a, const Rounded& b);
Rounding of_product(const Rounded& a, const Rounded& b);
/// Of what neither adds nor multiplies: monotonous in each operand as far as it rounds, or nearly so.
Rounding of_function(std::span<const Rounded> operands,
                     const std::function<format::Value(std::span<const format::Value>)>& f);
Rounding of_unary(format::UnaryOp op, const Rounded& a);
Rounding of_binary(format::BinaryOp op, const Rounded& a, const Rounded& b);
Rounding of_call(format::Function function, std::span<const Rounded> operands);
Rounding of_cast(format::ScalarType to, const Rounded& a);
/// Of an accumulator that takes one more term; not of argmin and argmax.
Rounding of_update(format::ReduceOp op, const Rounded& accumulator, const Rounded& term);

/// May `a < b` be answered otherwise, or which of the two is the least?
bool may_change_places(const Rounded& a, const Rounded& b);

}  // namespace trellis::check
