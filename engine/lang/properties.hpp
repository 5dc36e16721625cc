#pragma once
// What is known of an operation whatever its operands: which value of one operand decides the result, which leaves the
// other one alone, whether equal operands come out unchanged. Built-in operators have theirs here, functions of the
// user declare them. Source: Henry et al., Compilation of sparse array programming models, section 5;
// docs/design/coiteration.md#exactness.
//
// They hold for what an operand is where it stores nothing: 0 * inf in a gap is 0, and a gap never makes a
// not-a-number. A constant that stands in the program is computed with like any number (Constant::absent).

#include <optional>
#include <vector>

#include "engine/format/neutral_element.hpp"
#include "engine/lang/program.hpp"

namespace trellis::lang {

struct Properties {
  /// `constant value at position => result`; with the result equal to the value, an annihilator.
  struct Constant {
    format::Value value;
    int position;
    format::Value result;
  };
  /// The operation is its other operand when this one has the value. Of two operands. What functions of the user
  /// declare holds for their own results: gcd(x, 0) is x when x is a gcd, not when it is -1.
  struct Identity {
    format::Value value;
    int position;
  };
  std::vector<Constant> constants;
  std::vector<Identity> identities;
  bool idempotent = false;  ///< of functions of the user, on their own results
};

/// Of the outermost operation of the expression; operands are its children, in order.
Properties properties(const Expr& expr, const Program& program);

std::vector<Expr> operands(const Expr& expr);

/// The operation on constants; empty when it faults there, or cannot be computed here (functions of the user).
std::optional<format::Value> evaluate(const Expr& expr, const std::vector<format::Value>& values);

/// Does the operation give this result? Functions of the user are tried out.
bool gives(const Expr& expr, const std::vector<format::Value>& values, const format::Value& result,
           const Program& program);

}  // namespace trellis::lang
