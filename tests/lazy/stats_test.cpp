// Estimates beside what is really stored.
#include "engine/lazy/stats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/lazy/array.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "tests/lazy/problems.hpp"
#include "tests/lazy/tables.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::lazy {
namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

/// Ones, at coordinates that are drawn evenly, or the small ones far more often than the others.
tensor::Tensor random_matrix(std::int64_t rows, std::int64_t columns, int draws, Spread spread, std::uint64_t seed) {
  randomised::Dice dice(seed);
  const auto coordinate = [&](std::int64_t size) {
    const double u = dice.below(1 << 20) / static_cast<double>(1 << 20);
    return static_cast<std::int64_t>((spread == Spread::even ? u : u * u * u) * static_cast<double>(size));
  };
  std::vector<double> values(static_cast<std::size_t>(rows * columns), 0.0);
  for (int n = 0; n < draws; ++n)
    values[static_cast<std::size_t>(coordinate(rows) * columns + coordinate(columns))] = 1;
  return tensor_of(ScalarType::f64, {rows, columns}, values, "csr");
}

struct Matrices {
  Tensors tensors;
  CountedTables counted;
  Array a, b;

  Matrices(Spread spread, int draws, std::uint64_t seed)
      : tensors{{"A", random_matrix(60, 60, draws, spread, seed)},
                {"B", random_matrix(60, 60, draws, spread, seed + 1)}},
        a(Array::of("A", ScalarType::f64, format::Value::of(ScalarType::f64, 0), {60, 60})),
        b(Array::of("B", ScalarType::f64, format::Value::of(ScalarType::f64, 0), {60, 60})) {
    for (const auto& [name, tensor] : tensors) counted[name] = count_entries(tensor);
  }
  Statistics estimated(const Array& array) const {
    return estimate(support_of(array.expr()), as_set(array.axes()), counted);
  }
  /// All values are positive: what is not 0 is stored.
  double stored(const Array& array) const {
    const DenseArray all = dense(array.expr(), tensors, array.axes());
    return static_cast<double>(std::ranges::count_if(all.values, [](const format::Value& v) { return v.real != 0; }));
  }
};

void check_sums(const Statistics& s) {
  for (const std::vector<double>& degrees : s.degrees) {
    double sum = 0;
    for (const double degree : degrees) sum += degree;
    CHECK(sum == doctest::Approx(s.entries));
  }
}

}  // namespace

TEST_CASE("entries are counted by coordinate, padding left out") {
  const auto tensor = tensor_of(ScalarType::f64, {2, 3}, {1, 0, 2, 0, 0, 3}, "csr");
  const Counted counted = count_entries(tensor);
  CHECK(counted.entries == 3);
  CHECK(counted.degrees == std::vector<std::vector<double>>{{2, 1}, {1, 0, 2}});
  CHECK(count_entries(tensor::with_format(tensor, format::Format::named("csc", 2).value()).value()).degrees ==
        counted.degrees);
}

TEST_CASE("a join of two operands that share one field is exact") {
  for (const Spread spread : {Spread::even, Spread::skewed}) {
    const Matrices m(spread, 300, 1);
    const Field i = fresh_field(60), j = fresh_field(60), k = fresh_field(60);
    const std::vector parts = {at(m.counted.at("A"), {i, k}), at(m.counted.at("B"), {k, j})};
    double pairs = 0;
    for (std::size_t x = 0; x < 60; ++x) pairs += m.counted.at("A").degrees[1][x] * m.counted.at("B").degrees[0][x];
    const Statistics s = joined(parts);
    CHECK(s.entries == doctest::Approx(pairs));
    check_sums(s);
  }
}

TEST_CASE("estimates are near what is stored, of evenly spread operands and of skewed ones") {
  for (const Spread spread : {Spread::even, Spread::skewed})
    for (int number = 0; number < randomised::wanted(4); ++number) {
      const std::uint64_t seed = randomised::first_seed(10) + static_cast<std::uint64_t>(number);
      const Matrices m(spread, 250, seed);
      const auto near = [&](const Array& array, double factor) {
        const Statistics s = m.estimated(array);
        const double stored = m.stored(array);
        CAPTURE(to_string(array.expr()));
        CAPTURE(s.entries);
        CAPTURE(stored);
        CHECK(s.entries < stored * factor);
        CHECK(s.entries > stored / factor);
        check_sums(s);
      };
      near(apply(BinaryOp::add, {m.a, m.b}), spread == Spread::even ? 1.05 : 1.15);
      near(matmul(m.a, m.b), 1.5);
      near(reduce(ReduceOp::sum, m.a, {1}), 1.25);
      near(matmul(matmul(m.a, m.b), m.a), 2);
      near(apply(BinaryOp::multiply, {apply(BinaryOp::add, {m.a, m.b}), matmul(m.a, m.b)}), 2);
    }
}

TEST_CASE("where long rows cross long columns a place still holds one entry") {
  const Tensors tensors = chain_with_vector(300, 9000, Spread::skewed).tensors;
  const Counted a = count_entries(tensors.at("A")), b = count_entries(tensors.at("B"));
  const Field i = fresh_field(300), j = fresh_field(300), k = fresh_field(300), l = fresh_field(300);
  double truth = 0;
  tensor::for_each_listed(tensors.at("B"), [&](const tensor::Index& at, const format::Value&) {
    truth += a.degrees[1][static_cast<std::size_t>(at[0])] * a.degrees[0][static_cast<std::size_t>(at[1])];
  });
  const Statistics first = at(a, {i, j}), middle = at(b, {j, k}), last = at(a, {k, l});
  const std::vector<const Statistics*> parts = {&first, &middle, &last};
  CHECK(joined_entries(parts) > truth / 1.5);
  CHECK(joined_entries(parts) < truth * 1.5);
}

TEST_CASE("degrees tell more than the number of entries") {
  Matrices m(Spread::skewed, 400, 30);
  const Array product = matmul(m.a, m.b);
  const Field i = product.axes()[0], j = product.axes()[1], k = fresh_field(60);
  const auto pairs = [&] {
    return joined(std::vector{at(m.counted.at("A"), {i, k}), at(m.counted.at("B"), {k, j})}).entries;
  };
  const double with_degrees = pairs();
  for (auto& [name, counted] : m.counted)
    for (auto& degrees : counted.degrees) std::ranges::fill(degrees, counted.entries / 60);
  CHECK(pairs() < with_degrees / 2);
}

TEST_CASE("the same operand at the same fields counts once") {
  const Matrices m(Spread::even, 250, 40);
  const double entries = m.counted.at("A").entries;
  const Field i = fresh_field(60), j = fresh_field(60);
  const Expr a = m.a.at({i, j});
  const auto stored = [&](const Expr& e) { return estimate(support_of(e), {i, j}, m.counted).entries; };
  CHECK(stored(map(BinaryOp::multiply, {a, a})) == entries);
  CHECK(stored(map(BinaryOp::add, {a, map(BinaryOp::multiply, {a, a})})) == entries);
  CHECK(stored(map(BinaryOp::multiply, {a, m.a.at({j, i})})) < entries / 2);
}

TEST_CASE("what moves along one field is counted there") {
  const Matrices m(Spread::skewed, 400, 50);
  const auto exact = [&](const Array& array) {
    const Statistics s = m.estimated(array);
    CAPTURE(to_string(array.expr()));
    CHECK(s.entries == doctest::Approx(m.stored(array)));
    check_sums(s);
  };
  exact(slice(m.a, 0, 3, 20, 2));
  exact(slice(m.a, 1, 59, 60, -1));
  exact(roll(m.a, 0, 7));
  exact(concat({m.a, m.b}, 1));
  exact(pad(m.a, 0, 2, 3, format::Value::of(ScalarType::f64, 0)));
  exact(stack({m.a, m.b}, 0));
  exact(reshape(m.a, {3600}));
  exact(permute(m.a, {1, 0}));
  exact(broadcast_to(m.a, {3, 60, 60}));
}

TEST_CASE("tables that nobody counted are full, and nothing is nowhere") {
  const Matrices m(Spread::even, 250, 60);
  const Array x = Array::of("x", ScalarType::f64, format::Value::of(ScalarType::f64, 0), {60});
  CHECK(m.estimated(x).entries == 60);
  CHECK(m.estimated(apply(BinaryOp::multiply, {m.a, x})).entries == doctest::Approx(m.counted.at("A").entries));
  CHECK(m.estimated(apply(BinaryOp::add, {m.a, x})).entries == doctest::Approx(3600));
  CHECK(m.estimated(apply(format::Function::exp, {x})).density() == 1);
  CHECK(m.estimated(broadcast_to(Array::number(2.0), {60, 60})).entries == 0);
  CHECK(m.estimated(matmul(x, x)).entries == 1);
}

}  // namespace trellis::lazy
