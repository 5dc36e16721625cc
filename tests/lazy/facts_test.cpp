// Each row of the table of facts, on a grid of values of each type that it says it holds for.
#include "engine/lazy/facts.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/lazy/operation.hpp"
#include "tests/lazy/dense.hpp"

namespace trellis::lazy {
namespace {

using format::ReduceOp;
using format::ScalarType;
using format::Value;

const std::vector<ScalarType> all_types = {ScalarType::f64, ScalarType::f32, ScalarType::i64,
                                           ScalarType::i32, ScalarType::i16, ScalarType::u64,
                                           ScalarType::u32, ScalarType::u8,  ScalarType::boolean};

std::vector<Value> grid(ScalarType type) {
  std::vector<Value> values;
  if (format::is_boolean(type)) return {Value::truth(false), Value::truth(true)};
  if (format::is_floating(type))
    for (const double v : {0.0, 1.0, -1.0, 2.0, 0.1, -0.3, 3.0, 7.0, 1e30, -1e30, 1e-30})
      values.push_back(Value::of(type, v));
  if (type == ScalarType::f64)
    for (const double v : {1e300, -1e300, 1e-300}) values.push_back(Value::of(type, v));
  if (format::is_integer(type)) {
    for (const std::int64_t v : {0, 1, -1, 2, 3, 5}) values.push_back(Value::of_integer(type, v));
    values.push_back(format::lowest(type));
    values.push_back(format::highest(type));
  }
  return values;
}

/// Not-a-numbers and what overflows are promised to nobody. What rounds may be off by a few units in the last place of
/// the largest number on the way.
bool holds(const Value& a, const Value& b, Exactness how, double largest) {
  if (!format::is_floating(a.type)) return a == b;
  if (!std::isfinite(a.real) || !std::isfinite(b.real)) return how == Exactness::rounds || a == b || std::isnan(a.real);
  const double unit = a.type == ScalarType::f64 ? 0x1p-50 : 0x1p-21;
  return a == b || (how == Exactness::rounds && std::fabs(a.real - b.real) <= unit * largest);
}

struct Sides {
  Value left, right;
  double largest;
};

double magnitude(const std::vector<Value>& values) {
  double largest = 0;
  for (const Value& v : values) largest = std::max(largest, std::fabs(v.as_double()));
  return largest;
}

/// Both sides of the law, reduced over two values.
Sides sides_of(const Fact& fact, const Value& a, const Value& b, const Value& c, const Value& d) {
  const auto f = [&](const std::vector<Value>& values) { return computed(fact.op, values); };
  const auto reduced = [](ReduceOp op, const Value& x, const Value& y) { return format::combine(op, x, y); };
  const ReduceOp op = fact.reduction;
  switch (fact.law) {
    case Law::semiring:
      return {reduced(op, f({a, b}), f({a, c})), f({a, reduced(op, b, c)}), magnitude({f({a, b}), f({a, c})})};
    case Law::first_operand:
      return {reduced(op, f({b, a}), f({c, a})), f({reduced(op, b, c), a}), magnitude({f({b, a}), f({c, a})})};
    case Law::homomorphic: {
      const double largest = fact.op == Operator(format::BinaryOp::multiply) ? magnitude({f({f({a, b}), f({c, d})})})
                                                                             : magnitude({a, b, c, d});
      return {reduced(op, f({a, b}), f({c, d})), f({reduced(op, a, c), reduced(op, b, d)}), largest};
    }
    case Law::dual: return {reduced(op, f({a}), f({b})), f({reduced(fact.dual, a, b)}), 0};
  }
  return {};
}

/// A product of numbers that are not 0 overflows, or vanishes.
bool leaves_range(const Fact& fact, const Value& a, const Value& b) {
  if (!(fact.op == Operator(format::BinaryOp::multiply)) || !format::is_floating(a.type)) return false;
  const double product = computed(fact.op, {a, b}).real;
  return std::isinf(product) || (product == 0 && a.real != 0 && b.real != 0);
}

int count_failures(const Fact& fact, ScalarType type, int& tried) {
  int failures = 0;
  const std::vector<Value> values = grid(type);
  const bool four = fact.law == Law::homomorphic, two = fact.law == Law::dual;
  for (const Value& a : values)
    for (const Value& b : values)
      for (const Value& c : two ? std::vector{a} : values)
        for (const Value& d : four ? values : std::vector{a}) {
          if (four && (leaves_range(fact, a, b) || leaves_range(fact, c, d) || leaves_range(fact, a, c) ||
                       leaves_range(fact, b, d)))
            continue;
          const Sides sides = sides_of(fact, a, b, c, d);
          ++tried;
          if (!holds(sides.left, sides.right, *fact.of(type), sides.largest)) ++failures;
        }
  return failures;
}

}  // namespace

TEST_CASE("facts hold on a grid of values of each type") {
  int tried = 0;
  for (const Fact& fact : facts())
    for (const ScalarType type : all_types) {
      if (!fact.of(type)) continue;
      CAPTURE(name_of(fact.law));
      CAPTURE(format::name_of(fact.reduction));
      CAPTURE(format::name_of(type));
      CHECK(count_failures(fact, type, tried) == 0);
    }
  CHECK(tried > 100'000);
}

TEST_CASE("facts that are tempting fail on the same grid") {
  const auto failures = [](Fact fact, ScalarType type) {
    int tried = 0;
    fact.floating = fact.integer = fact.boolean = Exactness::exact;
    return count_failures(fact, type, tried);
  };
  const std::optional<Exactness> exact = Exactness::exact;
  using format::BinaryOp;
  using format::Function;
  using format::UnaryOp;
  CHECK(failures({Law::semiring, ReduceOp::min, BinaryOp::add, {}, exact, {}}, ScalarType::i64) > 0);
  CHECK(failures({Law::semiring, ReduceOp::max, BinaryOp::add, {}, exact, {}}, ScalarType::u8) > 0);
  CHECK(failures({Law::semiring, ReduceOp::max, BinaryOp::multiply, exact, {}, {}}, ScalarType::f64) > 0);
  CHECK(failures({Law::semiring, ReduceOp::sum, Function::min, exact, {}, {}}, ScalarType::f64) > 0);
  CHECK(failures({Law::semiring, ReduceOp::sum, BinaryOp::multiply, exact, {}, {}}, ScalarType::f64) > 0);
  CHECK(failures({Law::first_operand, ReduceOp::max, BinaryOp::subtract, {}, exact, {}}, ScalarType::i64) > 0);
  CHECK(failures({Law::homomorphic, ReduceOp::prod, BinaryOp::add, {}, exact, {}}, ScalarType::i64) > 0);
  CHECK(failures({Law::homomorphic, ReduceOp::max, BinaryOp::subtract, exact, {}, {}}, ScalarType::f64) > 0);
  CHECK(failures({Law::dual, ReduceOp::max, UnaryOp::negate, {}, exact, {}, ReduceOp::min}, ScalarType::i64) > 0);
  CHECK(failures({Law::dual, ReduceOp::any, UnaryOp::logical_not, {}, {}, exact, ReduceOp::any}, ScalarType::boolean) >
        0);
  CHECK(failures({Law::dual, ReduceOp::sum, Function::abs, exact, {}, {}, ReduceOp::sum}, ScalarType::f64) > 0);
}

TEST_CASE("an operand that decides alone does so whatever the other one is") {
  const std::vector<Operator> operators = {
      format::BinaryOp::power,   format::BinaryOp::multiply,    format::BinaryOp::divide,
      format::BinaryOp::modulo,  format::BinaryOp::bit_and,     format::BinaryOp::shift_left,
      format::Function::min,     format::Function::max,         format::BinaryOp::less,
      format::BinaryOp::greater, format::BinaryOp::logical_and, format::BinaryOp::logical_or};
  int tried = 0;
  for (const Operator& op : operators)
    for (const ScalarType type : all_types) {
      const bool logical =
          std::holds_alternative<format::BinaryOp>(op) && format::is_logical(std::get<format::BinaryOp>(op));
      const bool bits = op == Operator(format::BinaryOp::bit_and) || op == Operator(format::BinaryOp::shift_left);
      if (logical != format::is_boolean(type) || (bits && format::is_floating(type))) continue;
      for (const auto& constant : deciding(op, {type, type}))
        for (const Value& other : grid(type)) {
          std::vector<Value> values = {other, other};
          values[static_cast<std::size_t>(constant.position)] = constant.value;
          const Value got = computed(op, values);
          ++tried;
          CHECK((got == constant.result || std::isnan(got.real)));
        }
    }
  CHECK(tried > 300);
}

}  // namespace trellis::lazy
