// `trellis bench layouts`: products of matrices in layouts with a vector, beside the same in csr.
#include "tests/bench/layouts_bench.hpp"

#include <cmath>
#include <random>

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

/// A tensor of third order with so many entries in each of its fibers, times a matrix: a row for each fiber.
void tensor_times_matrix(Rows& rows, int threads) {
  const std::int64_t n = sized(800, 40), per_fiber = 8, r = 32;
  std::mt19937_64 random(13);
  tensor::Coordinates c;
  c.shape = {n, n, n};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      if (random() % 4 != 0) continue;
      for (std::int64_t k = 0; k < per_fiber; ++k) {
        const std::int64_t part = n / per_fiber, at = k * part + static_cast<std::int64_t>(random() % part);
        c.indices.insert(c.indices.end(), {i, j, at});
        c.reals.push_back(static_cast<double>(random() % 1000 + 1) / 1000);
      }
    }
  c.count = c.reals.size();
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  run::Bindings data;
  data.sizes = {{"n", n}, {"r", r}};
  data.arrays["A"] = packed(c, format_of("csf", 3), zero);
  data.arrays["B"] = random_matrix(n, r, 5);
  const auto empty =
      tensor::Tensor::create(format::ScalarType::f64, {n, n, r}, format_of("{compressed, compressed, dense}", 3), zero);
  data.arrays["Y"] = *empty->with_structure_of(data.arrays["A"]);
  const std::string program =
      "tensor A(n, n, n): csf\ntensor B(n, r)\ntensor Y(n, n, r): {compressed, compressed, dense}\n"
      "Y(i,j,l) = A(i,j,k) * B(k,l)\norder i j k l\n";
  std::vector<emit::Argument> arguments{{emit::Argument::Kind::size, "r", format::ScalarType::i64, false}};
  for (int level = 0; level < 3; ++level)
    for (const format::Array which : {format::Array::positions, format::Array::coordinates})
      if (level == 2 || which == format::Array::positions) arguments.push_back(level_array("A", level, which));
  arguments.push_back(level_array("A", -1, format::Array::values));
  arguments.push_back({emit::Argument::Kind::array, "B", format::ScalarType::f64, false});
  arguments.push_back({emit::Argument::Kind::array, "Y", format::ScalarType::f64, true});
  const auto hand = by_hand(R"(static void hand(long r, const int *restrict pos1, const int *restrict pos2,
    const int *restrict pos3, const int *restrict crd3, const double *restrict A, const double *restrict B,
    double *restrict Y) {
  for (int p = pos1[0]; p < pos1[1]; p++)
    for (int q = pos2[p]; q < pos2[p + 1]; q++)
      for (int s = pos3[q]; s < pos3[q + 1]; s++)
        for (long l = 0; l < r; l++) Y[q * r + l] += A[s] * B[crd3[s] * r + l];
})",
                            "hand", std::move(arguments));
  const std::string what = "TTM, " + std::to_string(c.count) + " entries";
  if (threads == 1)
    rows.push_back(contest(what, {"", native(module_of(program), data)}, {"by hand", native(hand, data)}, 9, 0.95));
  else
    rows.push_back(contest(what + ", " + std::to_string(threads) + " threads",
                           {"", native(module_of(program + "parallel i\n"), data, threads)},
                           {"one thread", native(module_of(program), data)}, 9, 1.7));
}

/// A matrix by blocks times one by rows, beside the loops by hand.
void blocks_times_rows(Rows& rows) {
  const LayoutProblem left = blocks(sized(2000, 200), 4), right = blocks(sized(2000, 200), 1);
  const std::int64_t n = left.entries.shape[0];
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  const std::string program = "param n = " + std::to_string(n) +
                              "\ntensor A(n, n): bcsr(4, 4)\ntensor B(n, n): csr\ntensor C(n, n)\n"
                              "C(i,j) = A(i,k) * B(k,j)\norder i k j\nlead A\n";
  run::Bindings data;
  data.sizes = {{"n", n}};
  data.arrays["A"] = packed(left.entries, format_in(program, "A"), zero);
  data.arrays["B"] = packed(right.entries, format_of("csr", 2), zero);
  data.arrays["C"] = *tensor::Tensor::create(format::ScalarType::f64, {n, n}, format_of("dense", 2), zero);
  std::vector<emit::Argument> arguments{{emit::Argument::Kind::size, "n", format::ScalarType::i64, false}};
  for (const char* operand : {"A", "B"}) {
    for (const format::Array which : {format::Array::positions, format::Array::coordinates})
      arguments.push_back(level_array(operand, 1, which));
    arguments.push_back(level_array(operand, -1, format::Array::values));
  }
  arguments.push_back({emit::Argument::Kind::array, "C", format::ScalarType::f64, true});
  const auto hand = by_hand(R"(static void hand(long n, const int *restrict pos, const int *restrict crd,
    const double *restrict A, const int *restrict Bpos, const int *restrict Bcrd, const double *restrict B,
    double *restrict C) {
  for (long t = 0; t < n * n; t++) C[t] = 0;
  for (long I = 0; I < n / 4; I++)
    for (int p = pos[I]; p < pos[I + 1]; p++)
      for (long r = 0; r < 4; r++)
        for (long c = 0; c < 4; c++) {
          const double a = A[(p * 4 + r) * 4 + c];
          const long k = crd[p] * 4 + c;
          for (int q = Bpos[k]; q < Bpos[k + 1]; q++) C[(I * 4 + r) * n + Bcrd[q]] += a * B[q];
        }
})",
                            "hand", std::move(arguments));
  rows.push_back(contest("bcsr(4, 4) times csr, n = " + std::to_string(n), {"", native(module_of(program), data)},
                         {"by hand", native(hand, data)}, 9, 0.95));
}

/// A matrix one row of which has four fifths of the entries, times a vector on two threads: entries dealt out beside
/// rows.
void skewed_rows(Rows& rows) {
  const std::int64_t m = sized(20000, 200), n = sized(400000, 4000);
  std::mt19937 random(7);
  tensor::Coordinates c;
  c.shape = {m, n};
  c.field = tensor::Coordinates::Field::real;
  for (std::int64_t j = 0; j < n; ++j) {
    c.indices.insert(c.indices.end(), {m / 2, j});
    c.reals.push_back(1 + static_cast<double>(random() % 1000) / 1000);
    if (j % 4 != 0) continue;
    const std::int64_t row = static_cast<std::int64_t>(random() % m);
    c.indices.insert(c.indices.end(), {row == m / 2 ? 0 : row, j});
    c.reals.push_back(1);
  }
  c.count = c.reals.size();
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  run::Bindings data;
  data.sizes = {{"m", m}, {"n", n}};
  data.arrays["A"] = packed(c, format_of("csr", 2), zero);
  data.arrays["x"] = random_vector(n, 3);
  data.arrays["y"] = *tensor::Tensor::create(format::ScalarType::f64, {m}, format_of("dense", 1), zero);
  const std::string program = "tensor A(m, n): csr\ntensor x(n)\ntensor y(m)\ny(i) = A(i,j) * x(j)\norder i j\n";
  rows.push_back(contest("most of the entries in one row, 2 threads",
                         {"by entries", native(module_of(program + "parallel A\n"), data, 2)},
                         {"by rows", native(module_of(program + "parallel i\n"), data, 2)}, 9, 1));
}

}  // namespace

Table bench_layouts(const Options& options) {
  Rows rows;
  sparse_times_sparse(rows, options);
  for (const int threads : {1, 2}) tensor_times_matrix(rows, threads);
  blocks_times_rows(rows);
  skewed_rows(rows);
  for (const std::int64_t side : {2, 4, 8}) {
    const std::string number = std::to_string(side);
    against_csr(rows, blocks(sized(48000, 480), side), "bcsr(" + number + ", " + number + ")", side == 2 ? 1 : 1.3);
  }
  for (const std::int64_t side : {sized(200, 15), sized(1000, 20)}) against_csr(rows, stencil(side), "dia", 1.5);
  against_csr(rows, symmetric(sized(20000, 300), 40), "sym", 1.3);
  against_csr(rows, symmetric(sized(200000, 400), 40), "sym", 1.3);
  return table_of("layouts", rows);
}

}  // namespace trellis::bench
