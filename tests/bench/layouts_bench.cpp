// `trellis bench layouts`: products of matrices in layouts with a vector, beside the same in csr.
#include <cmath>
#include <random>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

struct LayoutProblem {
  std::string name;
  tensor::Coordinates entries;
};

void add(tensor::Coordinates& c, std::int64_t i, std::int64_t j, double value) {
  c.indices.insert(c.indices.end(), {i, j});
  c.reals.push_back(value);
  ++c.count;
}

/// Dense blocks of `side` rows and columns, ten in each row of blocks, anywhere.
LayoutProblem blocks(std::int64_t n, std::int64_t side) {
  std::mt19937_64 random(7);
  LayoutProblem p{std::to_string(side) + " x " + std::to_string(side) + " blocks, n = " + std::to_string(n), {}};
  p.entries.shape = {n, n};
  const std::int64_t across = n / side, per_row = 10, part = across / per_row;
  for (std::int64_t bi = 0; bi < across; ++bi) {
    std::vector<std::int64_t> columns;
    for (std::int64_t k = 0; k < per_row; ++k)
      columns.push_back(k * part + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(part)));
    for (std::int64_t r = 0; r < side; ++r)
      for (const std::int64_t bj : columns)
        for (std::int64_t c = 0; c < side; ++c)
          add(p.entries, bi * side + r, bj * side + c, static_cast<double>(random() % 1000 + 1) / 1000);
  }
  return p;
}

/// The five-point stencil of a square grid, symmetric.
LayoutProblem stencil(std::int64_t side) {
  LayoutProblem p{"stencil, n = " + std::to_string(side * side), {}};
  p.entries.shape = {side * side, side * side};
  for (std::int64_t x = 0; x < side; ++x)
    for (std::int64_t y = 0; y < side; ++y) {
      const std::int64_t at = x * side + y;
      if (x > 0) add(p.entries, at, at - side, -1);
      if (y > 0) add(p.entries, at, at - 1, -1);
      add(p.entries, at, at, 4);
      if (y + 1 < side) add(p.entries, at, at + 1, -1);
      if (x + 1 < side) add(p.entries, at, at + side, -1);
    }
  return p;
}

/// A symmetric matrix with about `per_row` entries in each row near the diagonal.
LayoutProblem symmetric(std::int64_t n, std::int64_t per_row) {
  std::mt19937_64 random(3);
  LayoutProblem p{"symmetric, n = " + std::to_string(n), {}};
  p.entries.shape = {n, n};
  for (std::int64_t i = 0; i < n; ++i) {
    add(p.entries, i, i, static_cast<double>(per_row));
    for (std::int64_t k = 0; k < per_row / 2; ++k) {
      const std::int64_t part = 40, j = i - 1 - k * part - static_cast<std::int64_t>(random() % part);
      if (j < 0) continue;
      const double value = static_cast<double>(random() % 1000 + 1) / 1000;
      add(p.entries, i, j, value);
      add(p.entries, j, i, value);
    }
  }
  return p;
}

const std::string sym = "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}\n";

std::optional<Measured> product(const LayoutProblem& p, const std::string& format, const std::string& schedule) {
  const std::int64_t n = p.entries.shape[0];
  const std::string program = sym + "param n = " + std::to_string(n) + "\ntensor A(n, n): " + format +
                              "\ntensor x(n)\ntensor y(n)\ny(i) = A(i,j) * x(j)\norder i j\n" + schedule;
  run::Bindings data;
  data.sizes = {{"n", n}};
  const format::Format stored = format_in(program, "A");
  data.arrays["A"] = packed(p.entries, stored, format::Value::of(format::ScalarType::f64, 0));
  data.arrays["x"] = random_vector(n, 5);
  data.arrays["y"] = random_vector(n, 6);
  return native(module_of(program), data);
}

void against_csr(Rows& rows, const LayoutProblem& p, const std::string& format, double target) {
  rows.push_back(
      contest(format + ", " + p.name, {"", product(p, format, "lead A\n")}, {"csr", product(p, "csr", "")}, 9, target));
}

/// A sparse vector with so many of n elements.
tensor::Tensor sparse_vector(std::int64_t n, double density) {
  std::mt19937_64 random(11);
  tensor::Coordinates c;
  c.shape = {n};
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<double>(random() % 1000000) < density * 1e6) c.indices.push_back(i), c.reals.push_back(1.5);
  c.count = c.reals.size();
  return packed(c, format_of("{compressed}", 1), format::Value::of(format::ScalarType::f64, 0));
}

/// Rows of a matrix times a sparse vector: what is found, and how, beside the merge that TACO generates.
void sparse_times_sparse(Rows& rows, std::int64_t n, std::int64_t per_row, double density) {
  const std::string declared = "param n = " + std::to_string(n) +
                               "\ntensor A(n, n): csr\ntensor x(n): {compressed}\ntensor y(n)\n"
                               "y(i) = A(i,j) * x(j)\norder i j\n";
  run::Bindings data;
  data.sizes = {{"n", n}};
  data.arrays["A"] = packed(random_entries(Spread::uniform, n, per_row, 3), format_of("csr", 2),
                            format::Value::of(format::ScalarType::f64, 0));
  data.arrays["x"] = sparse_vector(n, density);
  data.arrays["y"] = random_vector(n, 6);
  std::vector<emit::Argument> arguments{{emit::Argument::Kind::size, "n", format::ScalarType::i64, false}};
  for (const format::Array which : {format::Array::positions, format::Array::coordinates})
    arguments.push_back(level_array("A", 1, which));
  arguments.push_back(level_array("A", -1, format::Array::values));
  for (const format::Array which : {format::Array::positions, format::Array::coordinates})
    arguments.push_back(level_array("x", 0, which));
  arguments.push_back(level_array("x", -1, format::Array::values));
  arguments.push_back({emit::Argument::Kind::array, "y", format::ScalarType::f64, true});
  const auto merge =
      by_hand(R"(static void hand(long n, const int *restrict Apos, const int *restrict Acrd, const double *restrict A,
    const int *restrict xpos, const int *restrict xcrd, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double sum = 0;
    int p = Apos[i], q = xpos[0];
    const int end = Apos[i + 1], stop = xpos[1];
    while (p < end && q < stop) {
      const int a = Acrd[p], b = xcrd[q], j = a < b ? a : b;
      if (a == j && b == j) sum += A[p] * x[q];
      p += a == j;
      q += b == j;
    }
    y[i] = sum;
  }
})",
              "hand", arguments);
  const std::string what = ", density " + format::to_string(format::Value::of(format::ScalarType::f64, density));
  const Entrant peer{"merge by hand", native(merge, data)};
  for (const char* how : {"", "find x gallop", "find x scan"})
    rows.push_back(contest((*how ? std::string(how) : "as chosen") + what,
                           {"", native(module_of(declared + how + "\n"), data)}, peer, 7, *how ? 0 : 2.72));
}

}  // namespace

Table bench_layouts(const Options&) {
  Rows rows;
  for (const double density : {0.001, 0.01, 0.1, 0.5}) sparse_times_sparse(rows, 10000, 40, density);
  for (const std::int64_t side : {2, 4, 8}) {
    const std::string number = std::to_string(side);
    against_csr(rows, blocks(48000, side), "bcsr(" + number + ", " + number + ")", side == 2 ? 1 : 1.3);
  }
  for (const std::int64_t side : {200, 1000}) against_csr(rows, stencil(side), "dia", 1.5);
  against_csr(rows, symmetric(20000, 40), "sym", 1.3);
  against_csr(rows, symmetric(200000, 40), "sym", 1.3);
  return table_of("layouts", rows);
}

}  // namespace trellis::bench
