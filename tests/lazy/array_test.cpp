// What arrays build: shapes, types, names; what they refuse; and what plans keep.
#include "engine/lazy/array.hpp"

#include <doctest/doctest.h>

#include "engine/lazy/promotion.hpp"
#include "engine/lazy/queries.hpp"
#include "engine/lazy/rewrite.hpp"
#include "engine/lazy/structure.hpp"
#include "tests/lazy/tables.hpp"

namespace trellis::lazy {
namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

Array floats(const std::string& name, const Sizes& shape, double fill = 0) {
  return Array::of(name, ScalarType::f64, Value::of(ScalarType::f64, fill), shape);
}
Array typed(ScalarType type) { return Array::of("x", type, Value::of_integer(type, 0), {3}); }

std::string text(const Array& a) { return to_string(a.query("R")); }

}  // namespace

TEST_CASE("arrays are written as the language's equations") {
  const Array a = floats("A", {2, 3}), b = floats("B", {3, 4}), x = floats("x", {3}), one = floats("c", {2, 1});
  CHECK(text(matmul(a, b)) == "R(i,j) = sum(k)(A(i,k) * B(k,j))");
  CHECK(text(apply(BinaryOp::add, {a, x})) == "R(i,j) = A(i,j) + x(j)");
  CHECK(text(apply(BinaryOp::multiply, {Array::number(std::int64_t{2}), x})) == "R(i) = 2 * x(i)");
  CHECK(text(apply(BinaryOp::add, {a, one})) == "R(i,j) = A(i,j) + max(k)(c(i,k))");
  CHECK(text(permute(a, {1, 0})) == "R(i,j) = A(j,i)");
  CHECK(text(diagonal(matmul(a, permute(a, {1, 0})))) == "R(i) = sum(j)(A(i,j) * A(i,j))");
  CHECK(text(broadcast_to(x, {2, 3})) == "R(i,j) = x(j)");
  CHECK(text(slice(x, 0, 2, 3, -1)) == "R(i) = slice(x(j), j->i, 2:-1:-1)");
  CHECK(text(roll(a, -1, 1)) == "R(i,j) = roll(A(i,k), k->j, 1)");
  CHECK(text(reshape(a, {6})) == "R(i) = reshape(A(j,k), (j,k)->i)");
  CHECK(text(concat({a, a}, 0)) == "R(i,j) = concat(A(k,j), A(l,j), (k,l)->i)");
  CHECK(text(stack({x, x}, 1)) == "R(i,j) = stack(x(i), x(i), j)");
  CHECK(text(pad(x, 0, 1, 2, Value::of(ScalarType::f64, 7))) == "R(i) = pad(x(j), j->i, 1:2, 7)");
  CHECK(text(where(apply(BinaryOp::less, {a, x}), a, x)) == "R(i,j) = A(i,j) < x(j) ? A(i,j) : x(j)");
  CHECK(text(mean(a, {0})) == "R(i) = sum(j)(A(j,i)) / 2");
  CHECK(text(arg_reduce(ReduceOp::argmin, a, 1)) == "R(i) = argmin(j)(A(i,j))");
  CHECK(text(reduce(ReduceOp::max, a, {0}, KeepAxes::yes)) == "R(i,j) = max(k)(A(k,j))");
}

TEST_CASE("a name of a table is no name of a field") { CHECK(text(floats("i", {2, 2})) == "R(j,k) = i(j,k)"); }

TEST_CASE("what does not fit is refused") {
  const Array a = floats("A", {2, 3}), x = floats("x", {2});
  CHECK_THROWS_AS(apply(BinaryOp::add, {a, x}), ShapeError);
  CHECK_THROWS_AS(matmul(a, a), ShapeError);
  CHECK_THROWS_AS(permute(a, {0, 0}), ShapeError);
  CHECK_THROWS_AS(broadcast_to(a, {3}), ShapeError);
  CHECK_THROWS_AS(broadcast_to(a, {4, 3}), ShapeError);
  CHECK_THROWS_AS(slice(x, 0, 1, 2, 1), ShapeError);
  CHECK_THROWS_AS(reduce(ReduceOp::sum, a, {2}), ShapeError);
  CHECK_THROWS_AS(reshape(a, {4}), ShapeError);
  CHECK_THROWS_AS(concat({a, x}, 0), ShapeError);
  CHECK_THROWS_AS(stack({a, x}, 0), ShapeError);
  CHECK_THROWS_AS(diagonal(a), ShapeError);
  CHECK_THROWS_AS(einsum("ij,ij", {a, a}), ShapeError);
  CHECK_THROWS_AS(einsum("ij->k", {a}), ShapeError);
}

TEST_CASE("types are promoted as NumPy's are") {
  using enum ScalarType;
  const auto added = [](const Array& a, const Array& b) { return apply(BinaryOp::add, {a, b}).type(); };
  CHECK(added(typed(i32), typed(f32)) == f64);
  CHECK(added(typed(i16), typed(f32)) == f32);
  CHECK(added(typed(u8), typed(i16)) == i16);
  CHECK(added(typed(u32), typed(i32)) == i64);
  CHECK(added(typed(u64), typed(i64)) == f64);
  CHECK(added(typed(boolean), typed(u8)) == u8);
  CHECK(added(typed(boolean), typed(boolean)) == boolean);
  CHECK(added(typed(f32), Array::number(0.5)) == f32);
  CHECK(added(typed(i16), Array::number(std::int64_t{1})) == i16);
  CHECK(added(typed(i32), Array::number(0.5)) == f64);
  CHECK(added(typed(boolean), Array::number(std::int64_t{1})) == i64);
  CHECK(reduce(ReduceOp::sum, typed(u8), {}).type() == u64);
  CHECK(reduce(ReduceOp::prod, typed(boolean), {}).type() == i64);
  CHECK(reduce(ReduceOp::sum, typed(f32), {}).type() == f32);
  CHECK(reduce(ReduceOp::max, typed(boolean), {}).type() == boolean);
  CHECK(mean(typed(i32), {0}).type() == f64);
  CHECK(apply(format::Function::sqrt, {typed(i64)}).type() == f64);
  CHECK(apply(BinaryOp::less, {typed(i16), typed(f64)}).type() == boolean);
  CHECK(apply(BinaryOp::logical_and, {typed(i16), typed(f64)}).type() == boolean);
}

TEST_CASE("results are sparse where structure says so") {
  const Array a = floats("A", {3, 3}), b = floats("B", {3, 3}), two = floats("C", {3, 3}, 2), x = floats("x", {3});
  const Array full = floats("D", {3, 3}), cube = floats("E", {3, 3, 3});
  const Formats formats{{"x", format::Format::dense(1)}, {"D", format::Format::dense(2)}};
  const auto is_sparse = [&](const Array& array) {
    return structure_of(array.query("R"), formats) == Structure::sparse;
  };
  CHECK(is_sparse(matmul(a, b)));
  CHECK(is_sparse(apply(BinaryOp::add, {a, b})));
  CHECK(is_sparse(apply(BinaryOp::multiply, {a, x})));
  CHECK(is_sparse(apply(format::Function::exp, {a})));  // its fill is 1
  CHECK(is_sparse(apply(BinaryOp::add, {a, two})));
  CHECK_FALSE(is_sparse(apply(BinaryOp::add, {a, x})));
  CHECK_FALSE(is_sparse(matmul(a, x)));
  CHECK_FALSE(is_sparse(matmul(a, full)));  // each row of `a` may have entries
  CHECK(is_sparse(reduce(ReduceOp::sum, cube, {1})));
  CHECK_FALSE(is_sparse(reduce(ReduceOp::sum, a, {1})));
  CHECK_FALSE(is_sparse(matmul(two, two)));  // its fill is 4 n
  CHECK(is_sparse(concat({a, b}, 0)));
  CHECK(is_sparse(concat({a, two}, 0)));
  CHECK_FALSE(is_sparse(concat({broadcast_to(x, {3, 3}), two}, 0)));
}

TEST_CASE("equal nodes are one") {
  const Array a = floats("A", {3, 3});
  const Expr e = a.expr(), sum = map(BinaryOp::add, {map(BinaryOp::multiply, {e, e}), map(BinaryOp::multiply, {e, e})});
  const std::vector<Expr> one = children(shared(sum));
  CHECK(one[0].same(one[1]));
  CHECK_FALSE(sum.as<Map>()->arguments[0].same(sum.as<Map>()->arguments[1]));
  CHECK(shared(sum) == sum);
}

TEST_CASE("rewriting reduces early, and says why") {
  const Array a = floats("A", {9, 9}), b = floats("B", {9, 9}), x = floats("x", {9});
  const Array y = einsum("ij,jk,k->i", {a, b, x});
  const Rewriting early = rewrite(y.expr(), Exactness::rounds);
  CHECK(to_string(Query{"y", y.axes(), early.expr, {}}) == "y(i) = sum(j)(sum(k)(B(j,k) * x(k)) * A(i,j))");
  REQUIRE(early.steps.size() == 1);
  CHECK(to_string(early.steps[0]) == "rounds, eliminate_field: * distributes over sum");
  CHECK(early.steps[0].before == y.expr());
  CHECK(rewrite(y.expr(), Exactness::exact).steps.empty());
  const Array sum = reduce(ReduceOp::sum, broadcast_to(x, {4, 9}), {});
  const Rewriting times = rewrite(sum.expr(), Exactness::rounds);
  CHECK(to_string(times.expr) == "sum(i)(x(i)) * 4");
  CHECK(to_string(times.steps.at(0)) == "rounds, drop_missing: the operand is the same 4 times");
}

TEST_CASE("plans keep what would be computed again, once") {
  const Array a = floats("A", {9, 9}), b = floats("B", {9, 9}), x = floats("x", {9});
  const Array y = matmul(a, matmul(b, x)), z = apply(BinaryOp::multiply, {matmul(b, x), x});
  const Plan plan = with_kept({y.query("y"), z.query("z")});
  CHECK(to_string(plan) ==
        "t1(i) = sum(j)(B(i,j) * x(j))\n"
        "y(i) = sum(j)(A(i,j) * t1(j))\n"
        "z(i) = sum(j)(B(i,j) * x(j)) * x(i)\n");
  CHECK(plan.produces == std::vector<std::string>{"y", "z"});
  const Array masked = apply(BinaryOp::multiply, {a, matmul(b, b)});
  CHECK(with_kept({masked.query("m")}).queries.size() == 1);
  const Array twice = apply(BinaryOp::add, {a, reduce(ReduceOp::max, matmul(b, x), {})});
  const Array again = apply(BinaryOp::subtract, {a, reduce(ReduceOp::max, matmul(b, x), {})});
  CHECK(with_kept({twice.query("p"), again.query("q")}).queries.size() == 3);
}

}  // namespace trellis::lazy
