#pragma once
// The operators, built-in functions and reductions of the language: names, precedence, result kind.
// One table each in operation.cpp; parser, printers, evaluators and emitter all read these.

#include <optional>
#include <string_view>

namespace trellis::format {

enum class UnaryOp { negate, logical_not, bit_not };

enum class BinaryOp {
  power,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  shift_left,
  shift_right,
  bit_and,
  bit_xor,
  bit_or,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or
};

/// Built-in scalar functions. `min` and `max` take two or more arguments.
enum class Function {
  abs,
  sqrt,
  cbrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  erf,
  floor,
  ceil,
  round,
  trunc,
  sign,
  hypot,
  fma,
  min,
  max
};

/// argmin and argmax reduce pairs (value, index): the smallest index wins among equals, -1 when empty. `user`: by a
/// function of the user that has an identity, named beside the operation.
enum class ReduceOp { sum, prod, min, max, any, all, argmin, argmax, user };

std::string_view symbol(UnaryOp op);
std::string_view symbol(BinaryOp op);  ///< as the language writes it: "xor", "&&", …
/// Larger binds tighter (docs/design/language.md#operators). Unary is between power and multiply.
int precedence(BinaryOp op);
constexpr int unary_precedence = 100;
constexpr bool is_comparison(BinaryOp op) { return op >= BinaryOp::equal && op <= BinaryOp::greater_equal; }
constexpr bool is_logical(BinaryOp op) { return op == BinaryOp::logical_and || op == BinaryOp::logical_or; }
constexpr bool is_bitwise(BinaryOp op) { return op >= BinaryOp::shift_left && op <= BinaryOp::bit_or; }

std::string_view name_of(Function function);
std::optional<Function> function(std::string_view name);
struct Arity {
  int least;
  int most;
};  ///< most < 0: any number
Arity arity(Function function);
/// Defined for floating operands only (sqrt, exp, …), as opposed to abs, sign, min, max.
bool floating_only(Function function);

std::string_view name_of(ReduceOp op);
std::optional<ReduceOp> reduce_op(std::string_view name);
constexpr bool is_arg(ReduceOp op) { return op == ReduceOp::argmin || op == ReduceOp::argmax; }
/// The update that accumulates: "+=", "*=", "min=", "max=", "||=", "&&=".
std::string_view update_symbol(ReduceOp op);

}  // namespace trellis::format
