// The operations of scalar.hpp. Each is computed in the C++ type that generated C would use, by way of unsigned
// 64-bit arithmetic for integers, since signed overflow wraps in the language but is undefined here.

#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/format/scalar.hpp"

namespace trellis::format {

namespace {

using Bits = std::uint64_t;

Bits bits(const Value& v) { return static_cast<Bits>(v.integer); }
Value wrapped(ScalarType type, Bits result) { return Value::of_integer(type, static_cast<std::int64_t>(result)); }

/// Calls `use` with the floating value in its own C type, so that f32 is computed in f32.
template <class Compute>
Value in_float(const Value& a, Compute&& compute) {
  if (a.type == ScalarType::f32) return {a.type, compute(static_cast<float>(a.real)), 0};
  return {a.type, compute(a.real), 0};
}

bool less(const Value& a, const Value& b) {
  if (is_floating(a.type)) return a.real < b.real;
  return a.type == ScalarType::u64 ? bits(a) < bits(b) : a.integer < b.integer;
}

bool equal(const Value& a, const Value& b) { return is_floating(a.type) ? a.real == b.real : a.integer == b.integer; }

int sign(const Value& a) {
  Value zero{a.type, 0, 0};
  return int{less(zero, a)} - int{less(a, zero)};
}

template <class T>
T floating_power(T x, T y) {
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  return std::pow(x, y);
}

Value integer_power(const Value& base, const Value& exponent) {
  if (sign(exponent) < 0) {
    if (base.integer == 1) return base;
    bool minus_one = is_signed(base.type) && base.integer == -1;
    return Value::of_integer(base.type, minus_one ? (exponent.integer % 2 != 0 ? -1 : 1) : 0);
  }
  Bits result = 1, square = bits(base);
  for (Bits rest = bits(exponent); rest != 0; rest >>= 1, square *= square)
    if ((rest & 1) != 0) result *= square;
  return wrapped(base.type, result);
}

template <class T>
T floating_modulo(T x, T y) {
  T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

Value integer_division(BinaryOp op, const Value& a, const Value& b, Fault& fault) {
  bool quotient = op == BinaryOp::divide;
  if (b.integer == 0) {
    fault = Fault::division_by_zero;
    return Value::of_integer(a.type, 0);
  }
  if (!is_signed(a.type)) return wrapped(a.type, quotient ? bits(a) / bits(b) : bits(a) % bits(b));
  if (b.integer == -1) {  // the processor traps on the one quotient that does not fit
    if (quotient && a == lowest(a.type)) {
      fault = Fault::division_overflow;
      return Value::of_integer(a.type, 0);
    }
    return quotient ? wrapped(a.type, 0 - bits(a)) : Value::of_integer(a.type, 0);
  }
  std::int64_t rest = a.integer % b.integer;
  bool below = rest != 0 && (rest < 0) != (b.integer < 0);
  return Value::of_integer(a.type, quotient ? a.integer / b.integer - below : below ? rest + b.integer : rest);
}

Value shift(BinaryOp op, const Value& a, const Value& count) {
  Bits width = is_boolean(a.type) ? 1 : 8 * size_of(a.type);
  Bits by = bits(count) & (width - 1);
  if (op == BinaryOp::shift_left) return wrapped(a.type, bits(a) << by);
  return is_signed(a.type) ? Value::of_integer(a.type, a.integer >> by) : wrapped(a.type, bits(a) >> by);
}

Value floating_arithmetic(BinaryOp op, const Value& a, const Value& b) {
  return in_float(a, [&]<class T>(T x) -> T {
    T y = static_cast<T>(b.real);
    switch (op) {
      case BinaryOp::power: return floating_power(x, y);
      case BinaryOp::multiply: return x * y;
      case BinaryOp::divide: return x / y;
      case BinaryOp::modulo: return floating_modulo(x, y);
      case BinaryOp::add: return x + y;
      case BinaryOp::subtract: return x - y;
      default: assert(false); return 0;
    }
  });
}

Value integer_arithmetic(BinaryOp op, const Value& a, const Value& b, Fault& fault) {
  switch (op) {
    case BinaryOp::power: return integer_power(a, b);
    case BinaryOp::multiply: return wrapped(a.type, bits(a) * bits(b));
    case BinaryOp::divide:
    case BinaryOp::modulo: return integer_division(op, a, b, fault);
    case BinaryOp::add: return wrapped(a.type, bits(a) + bits(b));
    case BinaryOp::subtract: return wrapped(a.type, bits(a) - bits(b));
    case BinaryOp::shift_left:
    case BinaryOp::shift_right: return shift(op, a, b);
    case BinaryOp::bit_and: return wrapped(a.type, bits(a) & bits(b));
    case BinaryOp::bit_xor: return wrapped(a.type, bits(a) ^ bits(b));
    case BinaryOp::bit_or: return wrapped(a.type, bits(a) | bits(b));
    default: assert(false); return Value::of_integer(a.type, 0);
  }
}

template <class T>
T floating_function(Function function, T x, T y, T z) {
  switch (function) {
    case Function::sqrt: return std::sqrt(x);
    case Function::cbrt: return std::cbrt(x);
    case Function::exp: return std::exp(x);
    case Function::exp2: return std::exp2(x);
    case Function::expm1: return std::expm1(x);
    case Function::log: return std::log(x);
    case Function::log2: return std::log2(x);
    case Function::log10: return std::log10(x);
    case Function::log1p: return std::log1p(x);
    case Function::sin: return std::sin(x);
    case Function::cos: return std::cos(x);
    case Function::tan: return std::tan(x);
    case Function::asin: return std::asin(x);
    case Function::acos: return std::acos(x);
    case Function::atan: return std::atan(x);
    case Function::atan2: return std::atan2(x, y);
    case Function::sinh: return std::sinh(x);
    case Function::cosh: return std::cosh(x);
    case Function::tanh: return std::tanh(x);
    case Function::erf: return std::erf(x);
    case Function::floor: return std::floor(x);
    case Function::ceil: return std::ceil(x);
    case Function::round: return std::round(x);
    case Function::trunc: return std::trunc(x);
    case Function::hypot: return std::hypot(x, y);
    case Function::fma: return std::fma(x, y, z);
    case Function::abs:
    case Function::sign:
    case Function::min:
    case Function::max: break;
  }
  assert(false);
  return 0;
}

Value absolute(const Value& a) {
  if (is_floating(a.type)) return {a.type, std::fabs(a.real), 0};
  return sign(a) < 0 ? wrapped(a.type, 0 - bits(a)) : a;
}

const Value& better(Function function, const Value& held, const Value& next) {
  bool replaces = function == Function::min ? less(next, held) : less(held, next);
  return replaces ? next : held;
}

}  // namespace

std::optional<int> small_power(const Value& exponent) {
  for (int power : {2, 3})
    if (is_floating(exponent.type) ? exponent.real == power : exponent.integer == power) return power;
  return std::nullopt;
}

Value apply(UnaryOp op, const Value& a) {
  switch (op) {
    case UnaryOp::negate: return is_floating(a.type) ? Value{a.type, -a.real, 0} : wrapped(a.type, 0 - bits(a));
    case UnaryOp::logical_not: return Value::truth(!a.is_true());
    case UnaryOp::bit_not: return is_boolean(a.type) ? Value::truth(!a.is_true()) : wrapped(a.type, ~bits(a));
  }
  return a;
}

Value apply(BinaryOp op, const Value& a, const Value& b, Fault& fault) {
  switch (op) {
    case BinaryOp::equal: return Value::truth(equal(a, b));
    case BinaryOp::not_equal: return Value::truth(!equal(a, b));
    case BinaryOp::less: return Value::truth(less(a, b));
    case BinaryOp::less_equal: return Value::truth(less(a, b) || equal(a, b));
    case BinaryOp::greater: return Value::truth(less(b, a));
    case BinaryOp::greater_equal: return Value::truth(less(b, a) || equal(a, b));
    case BinaryOp::logical_and: return Value::truth(a.is_true() && b.is_true());
    case BinaryOp::logical_or: return Value::truth(a.is_true() || b.is_true());
    default: return is_floating(a.type) ? floating_arithmetic(op, a, b) : integer_arithmetic(op, a, b, fault);
  }
}

Value apply(Function function, const Value* arguments, int count) {
  const Value& first = arguments[0];
  switch (function) {
    case Function::abs: return absolute(first);
    case Function::sign: return Value::of_integer(first.type, sign(first));
    case Function::min:
    case Function::max: {
      const Value* best = &first;
      for (int i = 1; i < count; ++i) best = &better(function, *best, arguments[i]);
      return *best;
    }
    default:
      assert(is_floating(first.type));
      return in_float(first, [&]<class T>(T x) -> T {
        const auto other = [&](int k) { return count > k ? static_cast<T>(arguments[k].real) : T{}; };
        return floating_function(function, x, other(1), other(2));
      });
  }
}

Value identity(ReduceOp op, ScalarType type) {
  switch (op) {
    case ReduceOp::sum: return Value::of_integer(type, 0);
    case ReduceOp::prod: return Value::of_integer(type, 1);
    case ReduceOp::min: return highest(type);
    case ReduceOp::max: return lowest(type);
    case ReduceOp::any: return Value::of_integer(type, 0);
    case ReduceOp::all: return Value::of_integer(type, 1);
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  return Value::of_integer(ScalarType::i64, -1);
}

Value worst(ReduceOp op, ScalarType type) { return op == ReduceOp::argmin ? highest(type) : lowest(type); }

Value combine(ReduceOp op, const Value& accumulated, const Value& next) {
  Fault fault = Fault::none;
  switch (op) {
    case ReduceOp::sum: return apply(BinaryOp::add, accumulated, next, fault);
    case ReduceOp::prod: return apply(BinaryOp::multiply, accumulated, next, fault);
    case ReduceOp::min: return better(Function::min, accumulated, next);
    case ReduceOp::max: return better(Function::max, accumulated, next);
    case ReduceOp::any: return cast(accumulated.type, apply(BinaryOp::logical_or, accumulated, next, fault));
    case ReduceOp::all: return cast(accumulated.type, apply(BinaryOp::logical_and, accumulated, next, fault));
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  assert(false);
  return accumulated;
}

}  // namespace trellis::format
