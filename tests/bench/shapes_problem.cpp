#include "tests/bench/shapes_problem.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

namespace trellis::bench {
namespace {

constexpr std::int64_t width_of_rows = 8192, per_row = 10;

tensor::Coordinates entries_of(Spread spread, std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  tensor::Coordinates c;
  c.shape = {n, width_of_rows};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t width = spread == Spread::uniform ? width_of_rows : 4 * per_row;
    const std::int64_t low = spread == Spread::uniform ? 0 : i * (width_of_rows - width) / n;
    for (std::int64_t k = 0; k < per_row; ++k) {  // one in each of as many parts, so that none repeats
      const std::int64_t part = width / per_row;
      c.indices.insert(c.indices.end(),
                       {i, low + k * part + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(part))});
      c.reals.push_back(static_cast<double>(random() % 1000 + 1) / 1000);
    }
  }
  c.count = c.reals.size();
  return c;
}

tensor::Coordinates flattened(const tensor::Coordinates& entries) {
  tensor::Coordinates flat = entries;
  flat.shape = {entries.shape[0] * entries.shape[1]};
  flat.indices.clear();
  for (std::size_t e = 0; e < entries.count; ++e)
    flat.indices.push_back(entries.indices[2 * e] * entries.shape[1] + entries.indices[2 * e + 1]);
  return flat;
}

ShapesProblem problem_of(const std::string& name, const tensor::Coordinates& a, const tensor::Coordinates& b) {
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  const std::int64_t n = a.shape[0], m = a.shape[1];
  ShapesProblem p;
  p.name = name;
  p.flattens = m == 0 || n <= std::numeric_limits<std::int32_t>::max() / m;
  p.declarations = "param n = " + std::to_string(n) + "\nparam m = " + std::to_string(m) +
                   "\ntensor A(n, m): csr\ntensor B(n, m): csr\ntensor E(n, m): coo\ntensor F(n, m): coo\n"
                   "tensor c(n*m): {compressed}\ntensor x(m)\n";
  p.data.sizes = {{"n", n}, {"m", m}};
  p.data.arrays["A"] = packed(a, format_of("csr", 2), zero);
  p.data.arrays["E"] = packed(a, format_of("coo", 2), zero);
  p.data.arrays["B"] = packed(b, format_of("csr", 2), zero);
  p.data.arrays["F"] = packed(b, format_of("coo", 2), zero);
  if (p.flattens) p.data.arrays["c"] = packed(flattened(a), format_of("{compressed}", 1), zero);
  p.data.arrays["x"] = random_vector(m, 5);
  return p;
}

/// As many rows from one of them on.
tensor::Coordinates rows_of(const tensor::Coordinates& all, std::int64_t first, std::int64_t rows) {
  tensor::Coordinates part;
  part.shape = {rows, all.shape[1]};
  for (std::size_t e = 0; e < all.count; ++e) {
    const std::int64_t i = all.indices[2 * e] - first;
    if (i < 0 || i >= rows) continue;
    part.indices.insert(part.indices.end(), {i, all.indices[2 * e + 1]});
    part.reals.push_back(e < all.reals.size() ? all.reals[e] : 1);
  }
  part.count = part.reals.size();
  return part;
}

}  // namespace

ShapesProblem shapes_problem(Spread spread, std::int64_t entries) {
  const std::int64_t n = entries / per_row;
  const std::string name = spread == Spread::uniform ? "uniform" : "banded";
  return problem_of(name + ", " + std::to_string(entries) + " entries", entries_of(spread, n, 1),
                    entries_of(spread, n, 2));
}

std::vector<ShapesProblem> real_shapes_problems(const Options& options) {
  std::vector<ShapesProblem> all;
  for (const auto& [name, entries] : real_matrices(options)) {
    const std::int64_t half = entries.shape[0] / 2;
    all.push_back(problem_of(name, rows_of(entries, 0, half), rows_of(entries, half, half)));
  }
  return all;
}

void add_result(run::Bindings& data, const std::string& name, std::vector<std::int64_t> shape,
                const std::string& format) {
  const auto rank = static_cast<int>(shape.size());
  data.arrays[name] = *tensor::Tensor::create(format::ScalarType::f64, std::move(shape), format_of(format, rank),
                                              format::Value::of(format::ScalarType::f64, 0));
}

std::vector<std::int64_t> shape_of(const ShapesProblem& p, const std::string& declared) {
  const std::int64_t n = p.rows(), m = p.columns();
  static const std::map<std::string, std::vector<std::int64_t>> times = {
      {"R(n+n, m)", {2, 1}}, {"R(n, m+m)", {1, 2}}, {"R(n, m)", {1, 1}}};
  if (declared == "R(n*m)") return {n * m};
  if (declared == "R(n/2, m)") return {n / 2, m};
  if (declared == "R(n+n)") return {n + n};
  return {times.at(declared)[0] * n, times.at(declared)[1] * m};
}

}  // namespace trellis::bench
