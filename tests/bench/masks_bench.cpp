// Products of a sparse matrix and a vector of which a mask asks for some elements only: a quarter of them beside the
// product without a mask, the complement of half of them beside GraphBLAS.
#include <limits>
#include <random>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

/// True at one of `of` places.
tensor::Tensor truths(std::int64_t n, std::uint64_t of, std::uint64_t seed, const format::Format& format) {
  std::mt19937_64 random(seed);
  tensor::Coordinates places;
  places.shape = {n};
  places.field = tensor::Coordinates::Field::pattern;
  for (std::int64_t i = 0; i < n; ++i)
    if (random() % of == 0) places.indices.push_back(i);
  places.count = places.indices.size();
  return packed(places, format, format::Value::truth(false));
}

/// The matrix again, with values of another type or another fill, or none but its pattern.
tensor::Tensor again(const SparseProblem& p, const format::Format& format, const format::Value& fill) {
  const Compressed a = compressed(p, "A");
  tensor::Coordinates entries;
  entries.shape = {p.n, p.n};
  for (std::int64_t i = 0; i < p.n; ++i)
    for (int at = a.positions[i]; at < a.positions[i + 1]; ++at)
      entries.indices.insert(entries.indices.end(), {i, a.coordinates[at]});
  entries.count = entries.indices.size() / 2;
  if (fill.type == ScalarType::boolean) entries.field = tensor::Coordinates::Field::pattern;
  else entries.reals.assign(a.values, a.values + entries.count);
  return packed(entries, format, fill);
}

const unsigned char* bytes(const tensor::Tensor& t) { return static_cast<const unsigned char*>(t.data()); }

void masked_products(Rows& rows, const SparseProblem& p) {
  const std::string head = "tensor A(n, n): csr\ntensor x(n)\ntensor y(n)\n";
  const auto whole = module_of(head + "y(i) = sum(j)(A(i,j) * x(j))\norder i j\n");
  for (const std::string format : {"dense", "bytemap", "compressed", "{compressed, pattern}"}) {
    run::Bindings data = p.data;
    data.arrays["m"] = truths(p.n, 4, 7, format_of("bool " + format, 1));
    const auto ours =
        module_of(head + "tensor m(n): bool " + format + "\ny(i) = m(i) ? sum(j)(A(i,j) * x(j)) : 0\norder i j\n");
    const Entrant all{"all of it", native(whole, p.data), false};
    rows.push_back(contest("SpMV, m: " + format + ", " + p.name, {"", native(ours, data)}, all, 15, 3));
  }
}

void reached(Rows& rows, const SparseProblem& p) {
  run::Bindings data = p.data;
  const format::Format dense = format::Format::dense(1);
  const format::Format pattern = format_of("{dense, compressed, pattern}", 2);
  data.arrays["A"] = again(p, pattern, format::Value::truth(false));
  data.arrays["G"] = truths(p.n, 8, 8, dense);
  for (const std::string name : {"V", "F"}) data.arrays[name] = truths(p.n, 2, 9, dense);
  const auto ours = module_of(
      "tensor A(n, n): {dense, compressed, pattern} bool\n"
      "tensor G(n): bool\ntensor V(n): bool\ntensor F(n): bool\n"
      "F(i) = !V(i) && any(j)(A(i,j) && G(j))\norder i j\n");
  const auto peer = graphblas_reached(compressed(p, "A"), bytes(data.arrays["V"]), bytes(data.arrays["G"]));
  const Entrant theirs{"GraphBLAS", measured(peer, "F", data.arrays["F"])};
  rows.push_back(contest("!V && any(A && G), " + p.name, {"", native(ours, data)}, theirs, 15, 1));
}

void nearest(Rows& rows, const SparseProblem& p) {
  run::Bindings data = p.data;
  const auto infinite = format::Value::of(ScalarType::f64, std::numeric_limits<double>::infinity());
  data.arrays["A"] = again(p, *format::Format::named("csr", 2), infinite);
  data.arrays["y"] = *tensor::Tensor::create(ScalarType::f64, {p.n}, format::Format::dense(1), infinite);
  data.arrays["V"] = truths(p.n, 2, 9, format::Format::dense(1));
  const auto ours = module_of(
      "tensor A(n, n): csr fill inf\ntensor x(n)\ntensor V(n): bool\ntensor y(n)\n"
      "y(i) = V(i) ? inf : min(j)(A(i,j) + x(j))\norder i j\n");
  const auto* x = static_cast<const double*>(p.data.arrays.at("x").data());
  const auto peer = graphblas_nearest(compressed(p, "A"), bytes(data.arrays["V"]), x);
  const Entrant theirs{"GraphBLAS", measured(peer, "y", data.arrays["y"])};
  rows.push_back(contest("!V, min(A + x), " + p.name, {"", native(ours, data)}, theirs, 15, 1));
}

}  // namespace

Table bench_masks(const Options&) {
  Rows rows;
  for (const std::int64_t per_row : {10, 100}) {
    SparseProblem problem = sparse_problem(Spread::uniform, sized(2'000'000, 300 * per_row), per_row);
    problem.name = std::to_string(per_row) + " entries a row";
    masked_products(rows, problem);
    reached(rows, problem);
    nearest(rows, problem);
  }
  return table_of("masks", std::move(rows));
}

}  // namespace trellis::bench
