#pragma once
// Assignments that make a value of what was there and of one more operand, however they are written:
//
//   s += e      s = s || e      s = max(e, s)      s = gcd(s, e)

#include <optional>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct Update {
  format::ReduceOp op = format::ReduceOp::user;
  std::string function;  ///< of the user, if the operation is
  int place = 0;         ///< of the old value among the operands: 0 or 1
  Expr other;            ///< does not read the old value
};

/// Empty for any other assignment.
std::optional<Update> update_of(const Assign& assign);

/// `x = x == open ? other : x`, which `choose(open)=` stands for: changes nothing any more once the target is another
/// value.
struct Once {
  Expr old;  ///< the target's value
  format::Value open;
  Expr other;  ///< does not read the old value
};
std::optional<Once> once_of(const Assign& assign);

/// The value that no update by the operation changes any more, whatever the other operand is. Floating-point numbers
/// have none: 0 * inf is not a number.
std::optional<format::Value> annihilator(format::ReduceOp op, format::ScalarType type);

}  // namespace trellis::flow
