// What is tempting and wrong: for each rewriting an instance with which both sides differ, and no rule takes it; for
// each reading of fills and supports an instance that refutes it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "engine/lazy/array.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/operation.hpp"
#include "engine/lazy/rules.hpp"
#include "engine/lazy/support.hpp"
#include "tests/lazy/tables.hpp"

namespace trellis::lazy {
namespace {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::ScalarType;
using format::UnaryOp;
using format::Value;

/// a(i), and b, c over i and k, of one type.
struct Operands {
  ScalarType type;
  Field i = fresh_field(2), k = fresh_field(2);
  Tensors tables;
  Expr a, b, c;

  Operands(ScalarType t, const std::vector<double>& av, const std::vector<double>& bv, const std::vector<double>& cv,
           double fill = 0)
      : type(t),
        tables{{"a", tensor_of(t, {2}, av, "dense", fill)},
               {"b", tensor_of(t, {2, 2}, bv, "csr", fill)},
               {"c", tensor_of(t, {2, 2}, cv, "csr", fill)}},
        a(table_of("a", tables.at("a"), {i})),
        b(table_of("b", tables.at("b"), {i, k})),
        c(table_of("c", tables.at("c"), {i, k})) {}
  Expr over_k(ReduceOp op, const Expr& e) const { return agg(op, {k}, e); }
};

/// The two differ on these operands, and no step makes the one of the other.
void refute(const Operands& o, const Expr& right, const Expr& wrong) {
  CAPTURE(to_string(right));
  CAPTURE(to_string(wrong));
  const DenseArray one = dense(right, o.tables, {o.i, o.k}), other = dense(wrong, o.tables, {o.i, o.k});
  CHECK(std::ranges::any_of(std::views::iota(std::size_t{0}, one.values.size()),
                            [&](std::size_t n) { return !alike(one.values[n], other.values[n]); }));
  for (const Rewritten& step : rewritings(right)) {
    CHECK_FALSE(step.expr == wrong);
    const DenseArray again = dense(step.expr, o.tables, {o.i, o.k});
    for (std::size_t n = 0; n < one.values.size(); ++n) CHECK(alike(one.values[n], again.values[n]));
  }
}

const std::vector<double> ones = {1, 1, 1, 1}, mixed = {1, 2, 3, 5}, signs = {-1, 2, 3, -2};
const Operands numbers(ScalarType::f64, {-2, 3}, mixed, signs);
const Operands integers(ScalarType::i64, {-2, 3}, mixed, signs);
const Operands truths(ScalarType::boolean, {1, 0}, {1, 0, 0, 0}, {0, 1, 1, 1});

}  // namespace

TEST_CASE("a sum over a field that the operand lacks is not the operand") {
  refute(numbers, numbers.over_k(ReduceOp::sum, numbers.a), numbers.a);
  refute(integers, integers.over_k(ReduceOp::prod, integers.a), integers.a);
  refute(integers, integers.over_k(ReduceOp::prod, integers.a),
         map(BinaryOp::multiply, {integers.a, constant(Value::of_integer(ScalarType::i64, 2))}));
}

TEST_CASE("no factor leaves a product, and no operand an arg") {
  const Operands& o = integers;
  const Expr product = map(BinaryOp::multiply, {o.a, o.b});
  refute(o, o.over_k(ReduceOp::prod, product), map(BinaryOp::multiply, {o.a, o.over_k(ReduceOp::prod, o.b)}));
  refute(o, arg(ReduceOp::argmin, o.k, product), arg(ReduceOp::argmin, o.k, o.b));
  // Sums of floating numbers tie where their terms do not.
  const Operands tie(ScalarType::f64, {1e16, 1e16}, {0.5, 0.25, 0.5, 0.25}, ones);
  refute(tie, arg(ReduceOp::argmin, tie.k, map(BinaryOp::add, {tie.a, tie.b})), arg(ReduceOp::argmin, tie.k, tie.b));
}

TEST_CASE("max of a product needs a sign, sums and minima do not mix") {
  const Operands& o = numbers;
  refute(o, o.over_k(ReduceOp::max, map(BinaryOp::multiply, {o.a, o.b})),
         map(BinaryOp::multiply, {o.a, o.over_k(ReduceOp::max, o.b)}));
  refute(o, o.over_k(ReduceOp::sum, map(Function::min, {o.a, o.b})),
         map(Function::min, {o.a, o.over_k(ReduceOp::sum, o.b)}));
  refute(o, agg(ReduceOp::sum, {o.i}, o.over_k(ReduceOp::max, o.c)),
         o.over_k(ReduceOp::max, agg(ReduceOp::sum, {o.i}, o.c)));
  refute(o, agg(ReduceOp::sum, {o.i}, o.over_k(ReduceOp::min, o.c)),
         o.over_k(ReduceOp::min, agg(ReduceOp::sum, {o.i}, o.c)));
}

TEST_CASE("reductions go to operands of few operators") {
  const Operands &o = numbers, &n = integers, &t = truths;
  refute(n, n.over_k(ReduceOp::prod, map(BinaryOp::add, {n.c, n.b})),
         map(BinaryOp::add, {n.over_k(ReduceOp::prod, n.c), n.over_k(ReduceOp::prod, n.b)}));
  refute(o, o.over_k(ReduceOp::max, map(BinaryOp::subtract, {o.c, o.b})),
         map(BinaryOp::subtract, {o.over_k(ReduceOp::max, o.c), o.over_k(ReduceOp::max, o.b)}));
  refute(o, o.over_k(ReduceOp::sum, map(Function::abs, {o.c})), map(Function::abs, {o.over_k(ReduceOp::sum, o.c)}));
  refute(t, t.over_k(ReduceOp::any, map(UnaryOp::logical_not, {t.b})),
         map(UnaryOp::logical_not, {t.over_k(ReduceOp::any, t.b)}));
  refute(o, o.over_k(ReduceOp::sum, map(BinaryOp::divide, {o.b, o.c})),
         map(BinaryOp::divide, {o.over_k(ReduceOp::sum, o.b), o.over_k(ReduceOp::sum, o.c)}));
  refute(o, o.over_k(ReduceOp::sum, map(BinaryOp::multiply, {o.b, o.c})),
         map(BinaryOp::multiply, {o.over_k(ReduceOp::sum, o.b), o.over_k(ReduceOp::sum, o.c)}));
  refute(o, o.over_k(ReduceOp::sum, map(BinaryOp::add, {o.a, o.b})),
         map(BinaryOp::add, {o.a, o.over_k(ReduceOp::sum, o.b)}));
  refute(n, n.over_k(ReduceOp::sum, map(BinaryOp::divide, {n.b, constant(Value::of_integer(ScalarType::i64, 2))})),
         map(BinaryOp::divide, {n.over_k(ReduceOp::sum, n.b), constant(Value::of_integer(ScalarType::i64, 2))}));
}

TEST_CASE("a choice stays inside of a reduction of its condition") {
  const Operands t(ScalarType::boolean, {0, 0}, {1, 0, 0, 0}, {0, 1, 1, 1});
  refute(t, t.over_k(ReduceOp::any, map(Where(), {t.b, t.c, t.a})),
         map(Where(), {t.over_k(ReduceOp::any, t.b), t.over_k(ReduceOp::any, t.c), t.over_k(ReduceOp::any, t.a)}));
}

TEST_CASE("integers wrap") {
  const double top = 0x1p62;  // three of them and more wrap
  Operands o(ScalarType::i64, {top, 1}, {top, 0, top, 0}, {top, 0, top, 0});
  o.tables["a"].set(std::vector<std::int64_t>{0}, format::highest(ScalarType::i64));
  o.tables["b"] = tensor_of(ScalarType::i64, {2, 2}, {1, 0, 1, 0});
  refute(o, o.over_k(ReduceOp::min, map(BinaryOp::add, {o.a, o.b})),
         map(BinaryOp::add, {o.a, o.over_k(ReduceOp::min, o.b)}));
  o.tables["b"].set(std::vector<std::int64_t>{0, 0}, format::lowest(ScalarType::i64));
  refute(o, o.over_k(ReduceOp::max, map(UnaryOp::negate, {o.b})), map(UnaryOp::negate, {o.over_k(ReduceOp::min, o.b)}));
}

TEST_CASE("products of floating numbers are distributed as something that rounds, and choices are none of them") {
  const Operands big(ScalarType::f64, {1e308, 1}, {10, 10, 1, 1}, {-10, -10, 1, 1});
  const Expr sum = map(BinaryOp::multiply, {big.a, map(BinaryOp::add, {big.b, big.c})});
  const std::vector<Rewritten> steps = distribute(sum);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].how == Exactness::rounds);
  CHECK(element(dense(sum, big.tables), {{big.i, 0}, {big.k, 0}}).real == 0);
  CHECK_FALSE(std::isfinite(element(dense(steps[0].expr, big.tables), {{big.i, 0}, {big.k, 0}}).real));
  // where(c, a, b) = c*a + (1 - c)*b for c = 1, a = 2, b = inf.
  CHECK_FALSE(1 * 2.0 + 0 * std::numeric_limits<double>::infinity() == 2.0);
  // sum f = sum(f - v) + n*v for f = 0.1, v = 1e16.
  CHECK_FALSE((0.1 - 1e16) + 1e16 == 0.1);
  // min + of three operands is associated anew: (1e16 + 1) - 1e16 is no 1.
  const auto three = factor_out(big.over_k(
      ReduceOp::min, map(BinaryOp::add, {map(BinaryOp::add, {big.a, big.b}), map(BinaryOp::add, {big.a, big.c})})));
  REQUIRE(three.size() == 1);
  CHECK(three[0].how == Exactness::rounds);
}

TEST_CASE("fills are reduced as many times as there are") {
  const Operands o(ScalarType::f64, {2, 2}, {2, 2, 2, 3}, ones, 2);
  CHECK(fill_of(o.over_k(ReduceOp::sum, o.b)) == Value::of(ScalarType::f64, 4));
  CHECK(fill_of(o.over_k(ReduceOp::prod, o.b)) == Value::of(ScalarType::f64, 4));
  CHECK(fill_of(agg(ReduceOp::prod, {fresh_field(3)}, o.b)) == Value::of(ScalarType::f64, 8));
  CHECK(fill_of(o.over_k(ReduceOp::max, o.b)) == Value::of(ScalarType::f64, 2));
  CHECK(fill_of(agg(ReduceOp::max, {fresh_field(0)}, o.b)) == format::lowest(ScalarType::f64));
  CHECK(fill_of(agg(ReduceOp::sum, {fresh_field(0)}, o.b)) == Value::of(ScalarType::f64, 0));
  CHECK(fill_of(arg(ReduceOp::argmax, o.k, o.b)) == Value::of_integer(ScalarType::i64, 0));
  CHECK_FALSE(fill_is_fixed(o.over_k(ReduceOp::sum, o.b)));
  CHECK(fill_is_fixed(o.over_k(ReduceOp::max, o.b)));
  CHECK(fill_is_fixed(numbers.over_k(ReduceOp::sum, numbers.b)));
}

TEST_CASE("what a reduction leaves out counts, and so does what is stored and equals the fill") {
  const Operands o(ScalarType::f64, {2, 2}, {2, 2, 2, 3}, {1, 2, 2, 2}, 2);
  for (const Expr& e : {o.over_k(ReduceOp::sum, o.b), o.over_k(ReduceOp::prod, o.c)}) {
    std::string wrong;
    const Tensors results = run_plan({{{"r", {o.i}, e, {}}}, {"r"}}, o.tables, wrong);
    CAPTURE(wrong);
    REQUIRE(results.contains("r"));
    CHECK(difference(dense(e, o.tables), results.at("r")) == "");
  }
}

TEST_CASE("a product intersects for fills of 0 alone, a choice reaches as far as its condition and one arm") {
  const auto text = [](const Operator& op, const Operands& o) { return to_string(support_of(map(op, {o.b, o.c}))); };
  const Operands two(ScalarType::f64, {2, 2}, mixed, signs, 2);
  CHECK(text(BinaryOp::multiply, numbers) == "b ∩ c");
  CHECK(text(BinaryOp::multiply, two) == "b ∪ c");
  CHECK(text(BinaryOp::divide, numbers) == "b");
  CHECK(text(BinaryOp::power, numbers) == "c");
  CHECK(fill_of(map(BinaryOp::power, {numbers.b, numbers.c})) == Value::of(ScalarType::f64, 1));
  CHECK(text(BinaryOp::add, numbers) == "b ∪ c");
  CHECK(text(BinaryOp::logical_and, truths) == "b ∩ c");
  CHECK(text(BinaryOp::logical_or, truths) == "b ∪ c");
  const Operands all(ScalarType::boolean, {1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, 1);
  CHECK(text(BinaryOp::logical_or, all) == "b ∩ c");
  CHECK(to_string(support_of(map(Where(), {truths.b, numbers.c, numbers.a}))) == "b ∪ a");
  CHECK(to_string(support_of(map(Where(), {all.b, numbers.c, numbers.a}))) == "b ∪ c");
  CHECK(to_string(support_of(numbers.over_k(ReduceOp::sum, numbers.b))) == "∃(b)");
}

TEST_CASE("an array that is used twice does not meet itself") {
  const Tensors tables{{"A", tensor_of(ScalarType::f64, {2, 2}, {0, 1, 0, 0}, "csr")}};
  const Array a = Array::of("A", ScalarType::f64, Value::of(ScalarType::f64, 0), {2, 2});
  const Array trace = reduce(ReduceOp::sum, diagonal(matmul(a, a)), {});
  CHECK(element(dense(trace.expr(), tables), {}).real == 0);  // the sum of squares is 1
  const Array square = matmul(a, a), both = apply(BinaryOp::multiply, {square, permute(square, {1, 0})});
  CHECK(element(dense(reduce(ReduceOp::sum, both, {}).expr(), tables), {}).real == 0);
}

TEST_CASE("the language's extremes are not NumPy's") {
  const Array x = Array::scalar(Value::of(ScalarType::f64, std::nan(""))), one = Array::number(1.0);
  const auto value = [](const Array& a) { return element(dense(a.expr(), {}), {}).real; };
  CHECK(value(apply(Function::max, {one, x})) == 1);
  CHECK(std::isnan(value(maximum(x, one))));
  CHECK(std::isnan(value(maximum(one, x))));
  CHECK(std::isnan(value(minimum(one, x))));
  CHECK(value(maximum(one, Array::number(2.0))) == 2);
  const Array none = Array::of("A", ScalarType::f64, Value::of(ScalarType::f64, 0), {0});
  CHECK_THROWS_AS(reduce(ReduceOp::max, none, {}), ShapeError);
  CHECK_THROWS_AS(arg_reduce(ReduceOp::argmin, none, 0), ShapeError);
}

}  // namespace trellis::lazy
