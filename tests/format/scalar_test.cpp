#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "engine/format/format.hpp"
#include "engine/format/scalar.hpp"

using namespace trellis::format;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr auto f64 = ScalarType::f64, f32 = ScalarType::f32;
constexpr auto i64 = ScalarType::i64, i32 = ScalarType::i32, i16 = ScalarType::i16;
constexpr auto u64 = ScalarType::u64, u32 = ScalarType::u32, u8 = ScalarType::u8;

Value value(ScalarType type, std::string_view text) { return parse_value(type, text).value(); }

/// `a op b` in `type`, printed; or the fault.
std::string eval(ScalarType type, std::string_view a, BinaryOp op, std::string_view b) {
  Fault fault = Fault::none;
  Value result = apply(op, value(type, a), value(type, b), fault);
  if (fault == Fault::none) return to_string(result);
  CHECK(result == Value::of_integer(type, 0));
  return fault == Fault::division_by_zero ? "division by zero" : "division overflow";
}

std::string call(Function f, ScalarType type, std::string_view a, std::string_view b = "0") {
  Value arguments[] = {value(type, a), value(type, b)};
  return to_string(apply(f, arguments, arity(f).least));
}

std::string through(ScalarType to, const Value& v) { return to_string(cast(to, v)); }

}  // namespace

TEST_CASE("integers wrap at their own width") {
  CHECK(eval(i64, "9223372036854775807", BinaryOp::add, "1") == "-9223372036854775808");
  CHECK(eval(i64, "-9223372036854775808", BinaryOp::multiply, "-1") == "-9223372036854775808");
  CHECK(eval(i32, "2147483647", BinaryOp::add, "1") == "-2147483648");
  CHECK(eval(i16, "300", BinaryOp::multiply, "300") == "24464");
  CHECK(eval(u64, "0", BinaryOp::subtract, "1") == "18446744073709551615");
  CHECK(eval(u32, "0", BinaryOp::subtract, "1") == "4294967295");
  CHECK(eval(u8, "200", BinaryOp::add, "100") == "44");
  CHECK(to_string(apply(UnaryOp::negate, lowest(i64))) == "-9223372036854775808");
  CHECK(to_string(apply(UnaryOp::negate, value(u8, "1"))) == "255");
  CHECK(to_string(apply(UnaryOp::bit_not, value(u8, "1"))) == "254");
  CHECK(call(Function::abs, i16, "-32768") == "-32768");
}

TEST_CASE("integer / and % round down") {
  CHECK(eval(i64, "7", BinaryOp::divide, "2") == "3");
  CHECK(eval(i64, "-7", BinaryOp::divide, "2") == "-4");
  CHECK(eval(i64, "7", BinaryOp::divide, "-2") == "-4");
  CHECK(eval(i64, "-7", BinaryOp::divide, "-2") == "3");
  CHECK(eval(i64, "-8", BinaryOp::divide, "2") == "-4");
  CHECK(eval(i64, "-7", BinaryOp::modulo, "2") == "1");
  CHECK(eval(i64, "7", BinaryOp::modulo, "-2") == "-1");
  CHECK(eval(i64, "-8", BinaryOp::modulo, "2") == "0");
  CHECK(eval(i64, "7", BinaryOp::divide, "-1") == "-7");
  CHECK(eval(u64, "18446744073709551615", BinaryOp::divide, "2") == "9223372036854775807");
  CHECK(eval(u64, "18446744073709551615", BinaryOp::divide, "18446744073709551615") == "1");
  CHECK(eval(u64, "18446744073709551615", BinaryOp::modulo, "10") == "5");
}

TEST_CASE("integer division faults by zero and where the quotient does not fit") {
  for (ScalarType type : {i64, i32, i16, u64, u32, u8}) {
    CHECK(eval(type, "1", BinaryOp::divide, "0") == "division by zero");
    CHECK(eval(type, "1", BinaryOp::modulo, "0") == "division by zero");
  }
  for (ScalarType type : {i64, i32, i16}) {
    std::string least = to_string(lowest(type));
    CHECK(eval(type, least, BinaryOp::divide, "-1") == "division overflow");
    CHECK(eval(type, least, BinaryOp::modulo, "-1") == "0");
  }
}

TEST_CASE("floating division has no faults, and % takes the divisor's sign") {
  CHECK(eval(f64, "1", BinaryOp::divide, "0") == "inf");
  CHECK(eval(f64, "7", BinaryOp::divide, "2") == "3.5");
  CHECK(eval(f64, "-7", BinaryOp::modulo, "2") == "1");
  CHECK(eval(f64, "7.5", BinaryOp::modulo, "-2") == "-0.5");
  CHECK(eval(f64, "1", BinaryOp::modulo, "0") == "nan");
}

TEST_CASE("f32 rounds at each operation") {
  CHECK(eval(f32, "16777216", BinaryOp::add, "1") == "16777216");
  CHECK(eval(f32, "1", BinaryOp::divide, "3") == "0.33333334");
  CHECK(eval(f64, "1", BinaryOp::divide, "3") == "0.3333333333333333");
  CHECK(eval(f32, "3e38", BinaryOp::multiply, "10") == "inf");
  CHECK(call(Function::sqrt, f32, "2") == "1.4142135");
  CHECK(through(f32, value(i64, "16777217")) == "16777216");
  // 2^53+2^29+1: by way of f64 the last bit is lost first, and the tie then rounds the other way.
  CHECK(cast(f32, value(i64, "9007199791611905")).real == 9007200328482816.0);
}

TEST_CASE("shifts take their count modulo the width, >> keeps the sign of signed types") {
  CHECK(eval(i64, "1", BinaryOp::shift_left, "64") == "1");
  CHECK(eval(i64, "1", BinaryOp::shift_left, "63") == "-9223372036854775808");
  CHECK(eval(i64, "-8", BinaryOp::shift_right, "1") == "-4");
  CHECK(eval(i64, "1", BinaryOp::shift_left, "-1") == "-9223372036854775808");
  CHECK(eval(i32, "1", BinaryOp::shift_left, "33") == "2");
  CHECK(eval(i16, "1", BinaryOp::shift_left, "15") == "-32768");
  CHECK(eval(u8, "255", BinaryOp::shift_left, "4") == "240");
  CHECK(eval(u64, "18446744073709551615", BinaryOp::shift_right, "63") == "1");
}

TEST_CASE("integer powers wrap, a negative exponent leaves only 1 and -1") {
  CHECK(eval(i64, "3", BinaryOp::power, "4") == "81");
  CHECK(eval(i64, "-2", BinaryOp::power, "63") == "-9223372036854775808");
  CHECK(eval(i64, "2", BinaryOp::power, "64") == "0");
  CHECK(eval(u8, "3", BinaryOp::power, "6") == "217");
  CHECK(eval(i64, "0", BinaryOp::power, "0") == "1");
  CHECK(eval(i64, "2", BinaryOp::power, "-1") == "0");
  CHECK(eval(i64, "0", BinaryOp::power, "-1") == "0");
  CHECK(eval(i64, "1", BinaryOp::power, "-5") == "1");
  CHECK(eval(i64, "-1", BinaryOp::power, "-5") == "-1");
  CHECK(eval(i64, "-1", BinaryOp::power, "-4") == "1");
}

TEST_CASE("floating squares and cubes are products, other powers are C's pow") {
  Fault fault = Fault::none;
  for (double x : {1.1, -0.3, 1e200, 7.77e-5}) {
    Value base = Value::of(f64, x);
    CHECK(apply(BinaryOp::power, base, Value::of(f64, 2), fault).real == x * x);
    CHECK(apply(BinaryOp::power, base, Value::of(f64, 3), fault).real == x * x * x);
    CHECK(apply(BinaryOp::power, base, Value::of(f64, 5), fault).real == std::pow(x, 5));
  }
  CHECK(small_power(Value::of(f64, 2)) == 2);
  CHECK(small_power(Value::of(f32, 3)) == 3);
  CHECK(small_power(Value::of_integer(i64, 3)) == 3);
  CHECK_FALSE(small_power(Value::of(f64, 4)));
  CHECK_FALSE(small_power(Value::of(f64, 2.5)));
}

TEST_CASE("casts into integers truncate and saturate, not-a-number becomes 0") {
  CHECK(through(i64, Value::of(f64, -2.9)) == "-2");
  CHECK(through(i64, Value::of(f64, 1e300)) == "9223372036854775807");
  CHECK(through(i64, Value::of(f64, 9223372036854775808.0)) == "9223372036854775807");
  CHECK(through(i64, Value::of(f64, -inf)) == "-9223372036854775808");
  CHECK(through(i32, Value::of(f64, 2147483647.5)) == "2147483647");
  CHECK(through(i16, Value::of(f64, -40000)) == "-32768");
  CHECK(through(u64, Value::of(f64, 18446744073709549568.0)) == "18446744073709549568");
  CHECK(through(u64, Value::of(f64, 1e30)) == "18446744073709551615");
  CHECK(through(u8, Value::of(f64, -0.5)) == "0");
  CHECK(through(u8, Value::of(f64, -1)) == "0");
  for (ScalarType type : {i64, i32, i16, u64, u32, u8}) CHECK(through(type, Value::of(f64, nan_value)) == "0");
}

TEST_CASE("casts between integers wrap, and u64 is never negative") {
  CHECK(through(u8, value(i64, "-1")) == "255");
  CHECK(through(i16, value(i64, "40000")) == "-25536");
  CHECK(through(u64, value(i64, "-1")) == "18446744073709551615");
  CHECK(through(f64, value(u64, "18446744073709551615")) == "1.8446744073709552e+19");
  CHECK(value(u64, "18446744073709551615").as_double() == 18446744073709551615.0);
  CHECK(through(ScalarType::boolean, value(i64, "256")) == "true");
  CHECK(through(i64, Value::truth(true)) == "1");
}

TEST_CASE("u64 compares as unsigned, and nothing compares with not-a-number") {
  CHECK(eval(u64, "18446744073709551615", BinaryOp::greater, "1") == "true");
  CHECK(eval(i64, "-1", BinaryOp::greater, "1") == "false");
  CHECK(eval(f64, "nan", BinaryOp::equal, "nan") == "false");
  CHECK(eval(f64, "nan", BinaryOp::not_equal, "nan") == "true");
  CHECK(eval(f64, "nan", BinaryOp::less_equal, "1") == "false");
  CHECK(eval(f64, "1", BinaryOp::less_equal, "1") == "true");
}

TEST_CASE("bool is {0, 1}") {
  Fault fault = Fault::none;
  Value yes = Value::truth(true), no = Value::truth(false);
  CHECK(apply(UnaryOp::bit_not, yes) == no);
  CHECK(apply(UnaryOp::logical_not, Value::of(f64, 0.5)) == no);
  CHECK(apply(BinaryOp::bit_xor, yes, yes, fault) == no);
  CHECK(apply(BinaryOp::add, yes, yes, fault) == yes);
  CHECK(apply(BinaryOp::logical_and, yes, Value::of(f64, nan_value), fault) == yes);
}

TEST_CASE("functions") {
  CHECK(call(Function::round, f64, "2.5") == "3");
  CHECK(call(Function::round, f64, "-2.5") == "-3");
  CHECK(call(Function::floor, f64, "-2.5") == "-3");
  CHECK(call(Function::trunc, f64, "-2.5") == "-2");
  CHECK(call(Function::sign, f64, "-0.1") == "-1");
  CHECK(call(Function::sign, f64, "nan") == "0");
  CHECK(call(Function::sign, u64, "18446744073709551615") == "1");
  CHECK(call(Function::hypot, f64, "3", "4") == "5");
  CHECK(call(Function::min, f64, "1", "nan") == "1");
  CHECK(call(Function::max, u64, "18446744073709551615", "1") == "18446744073709551615");
  Value three[] = {Value::of(f64, 2), Value::of(f64, 3), Value::of(f64, 1)};
  CHECK(apply(Function::min, three, 3).real == 1);
  CHECK(apply(Function::max, three, 3).real == 3);
}

TEST_CASE("a reduction of nothing is its identity") {
  CHECK(to_string(identity(ReduceOp::sum, f64)) == "0");
  CHECK(to_string(identity(ReduceOp::prod, u8)) == "1");
  CHECK(to_string(identity(ReduceOp::min, f32)) == "inf");
  CHECK(to_string(identity(ReduceOp::min, i16)) == "32767");
  CHECK(to_string(identity(ReduceOp::max, i16)) == "-32768");
  CHECK(to_string(identity(ReduceOp::max, u64)) == "0");
  CHECK(to_string(identity(ReduceOp::all, ScalarType::boolean)) == "true");
  CHECK(to_string(identity(ReduceOp::argmin, f64)) == "-1");
  for (ReduceOp op : {ReduceOp::sum, ReduceOp::prod, ReduceOp::min, ReduceOp::max})
    CHECK(to_string(combine(op, identity(op, i32), value(i32, "-7"))) == "-7");
  CHECK(combine(ReduceOp::any, Value::truth(false), Value::truth(true)).is_true());
  CHECK_FALSE(combine(ReduceOp::all, Value::truth(false), Value::truth(true)).is_true());
}

TEST_CASE("values print with the fewest digits that read back") {
  for (double x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125, 1e16, 2.5e-3, -0.0}) {
    CHECK(value(f64, to_string(Value::of(f64, x))) == Value::of(f64, x));
  }
  CHECK(to_string(Value::of(f64, 1)) == "1");
  CHECK(to_string(Value::of(f64, 100000)) == "100000");
  CHECK(to_string(Value::of(f64, 0.0025)) == "0.0025");
  CHECK(to_string(Value::of(f64, 2.5e-9)) == "2.5e-09");
  CHECK(to_string(Value::of(f64, -inf)) == "-inf");
  CHECK(to_string(Value::of(f32, 0.1)) == "0.1");
}

TEST_CASE("text that is no value of the type is refused") {
  CHECK(parse_value(u8, "0xFF") == Value::of_integer(u8, 255));
  CHECK(parse_value(i64, "-9223372036854775808") == lowest(i64));
  CHECK(parse_value(f64, "0x10") == Value::of(f64, 16));
  for (auto [type, text] : {std::pair{u8, "256"},
                            {u8, "-1"},
                            {i16, "40000"},
                            {i64, "9223372036854775808"},
                            {i64, "1.5"},
                            {i64, ""},
                            {f64, "1x"},
                            {f64, ""},
                            {i64, "--1"},
                            {f64, "0x"},
                            {i64, "inf"}}) {
    CAPTURE(text);
    CHECK_FALSE(parse_value(type, text));
  }
}

TEST_CASE("tables agree with their names") {
  for (ScalarType type : {f64, f32, i64, i32, i16, u64, u32, u8, ScalarType::boolean})
    CHECK(scalar_type(name_of(type)) == type);
  CHECK(function("hypot") == Function::hypot);
  CHECK(function("max") == Function::max);
  CHECK_FALSE(function("gcd"));
  CHECK(reduce_op("argmax") == ReduceOp::argmax);
  CHECK(update_symbol(ReduceOp::any) == "||=");
  CHECK(symbol(BinaryOp::bit_xor) == "xor");
  CHECK(precedence(BinaryOp::power) > unary_precedence);
  CHECK(unary_precedence > precedence(BinaryOp::multiply));
  CHECK(precedence(BinaryOp::bit_and) > precedence(BinaryOp::bit_xor));
  CHECK(precedence(BinaryOp::logical_and) > precedence(BinaryOp::logical_or));
  CHECK(Format::dense(3).all_dense());
  CHECK(Format::dense(2).order == std::vector<int>{0, 1});
}
