#pragma once
// Element types and single values, with exactly the arithmetic that generated C has: integers wrap,
// `/` and `%` round down, x/0 and MIN/-1 are faults, f32 rounds at each operation. The reference
// evaluator and the loop interpreter compute with these, so this file is what "agrees" means.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/format/operation.hpp"

namespace trellis::format {

enum class ScalarType : std::uint8_t { f64, f32, i64, i32, i16, u64, u32, u8, boolean };

/// "f64" … "bool".
std::string_view name_of(ScalarType type);
std::optional<ScalarType> scalar_type(std::string_view name);
std::size_t size_of(ScalarType type);  ///< bytes
/// The C99 type: "double", "int32_t", …; bool is "uint8_t" in memory.
std::string_view c_name(ScalarType type);

constexpr bool is_floating(ScalarType t) { return t == ScalarType::f64 || t == ScalarType::f32; }
constexpr bool is_boolean(ScalarType t) { return t == ScalarType::boolean; }
constexpr bool is_integer(ScalarType t) { return !is_floating(t) && !is_boolean(t); }
constexpr bool is_signed(ScalarType t) {
  return is_floating(t) || t == ScalarType::i64 || t == ScalarType::i32 || t == ScalarType::i16;
}

/// One value of a scalar type. Floating values live in `real` (f32 already rounded), all others in `integer`
/// (u64 as its bit pattern, bool as 0 or 1); the unused member is zero, so equality is memberwise.
struct Value {
  ScalarType type = ScalarType::f64;
  double real = 0;
  std::int64_t integer = 0;

  static Value of(ScalarType type, double number);  ///< converts as a C cast does, saturating into integers
  static Value of_integer(ScalarType type, std::int64_t number);  ///< wraps into the type
  static Value truth(bool b) { return {ScalarType::boolean, 0, b}; }

  bool is_true() const { return is_floating(type) ? real != 0 : integer != 0; }
  double as_double() const;
  std::int64_t as_integer() const;  ///< truncates a floating value
  bool operator==(const Value&) const = default;
};

/// As the language writes it: `1`, `2.5e-3`, `inf`, `true`; floating values with 17 significant digits at most,
/// the fewest that read back.
std::string to_string(const Value& value);

/// Casts as generated C does. A floating value out of an integer type's range saturates; not-a-number gives 0.
Value cast(ScalarType type, const Value& value);

/// Why an operation has no value.
enum class Fault : std::uint8_t { none, division_by_zero, division_overflow };

/// Both operands have one type (except the count of a shift). Comparisons and logic give bool.
///   * A fault gives 0, so that evaluation carries on. Only `/` and `%` of integers fault; `x % -1` is 0, never a fault.
///   * `%` of floating numbers also takes the divisor's sign: fmod, plus the divisor where the signs differ.
///   * A shift's count is taken modulo the width (bool: 1); `>>` keeps the sign of signed types.
///   * `min`, `max` keep the first argument unless the next one is strictly better, so they ignore a later not-a-number.
///   * f32 uses the float functions of C (`sqrtf`, `powf`); `round` halves away from zero; `sign` is -1, 0 or 1, 0 for
///     not-a-number; bool arithmetic is that of {0, 1} with any nonzero result true.
Value apply(UnaryOp op, const Value& a);
Value apply(BinaryOp op, const Value& a, const Value& b, Fault& fault);
/// Arguments share one type; floating functions take floating arguments only.
Value apply(Function function, const Value* arguments, int count);

/// Integers: wrapping; a negative exponent gives 0 unless the base is 1 or -1. Floating: C's `pow`, except that the
/// exponents 2 and 3, constant or computed, multiply: x*x and x*x*x, so that every back end gives the same bits.
/// Returns that exponent when `exponent` is one of the two.
std::optional<int> small_power(const Value& exponent);

/// Reads `-12`, `0xFF`, `2.5e-3`, `inf`, `nan`, `true` in full; empty when it is none or does not fit the type.
std::optional<Value> parse_value(ScalarType type, std::string_view text);

/// The identity of a reduction in a type: 0, 1, +inf or the type's limit, false/true.
Value identity(ReduceOp op, ScalarType type);
/// What argmin or argmax compare their first value with: nothing is worse, and only a not-a-number fails to be better
/// or equal.
Value worst(ReduceOp op, ScalarType type);
/// One step of `sum prod min max any all`.
Value combine(ReduceOp op, const Value& accumulated, const Value& next);

Value lowest(ScalarType type);   ///< -inf for floating types
Value highest(ScalarType type);  ///< +inf for floating types

}  // namespace trellis::format
