// Triangular solves and sparse Cholesky factors beside CXSparse, which factors in place of `k j i`, looking up: grids
// and matrices of the data, in the order that they have and in AMD's. The factor's pattern is known to both.
#include <filesystem>

#include "engine/lang/parse.hpp"
#include "engine/symbolic/eliminate.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/entries.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/matrix_market.hpp"
#include "tests/bench/dense_bench.hpp"
#include "tests/bench/peers.hpp"
#include "tests/bench/recurrences_bench.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

const format::Value zero = format::Value::of(ScalarType::f64, 0);

tensor::Tensor from_csc(std::int64_t n, const std::vector<int>& positions, const std::vector<int>& coordinates,
                        const std::vector<double>& values, const format::Format& format) {
  tensor::Coordinates entries;
  entries.shape = {n, n};
  for (std::int64_t j = 0; j < n; ++j)
    for (int p = positions[j]; p < positions[j + 1]; ++p)
      entries.indices.insert(entries.indices.end(), {coordinates[p], j});
  entries.reals = values;
  entries.count = values.size();
  return packed(entries, format, zero);
}

tensor::Tensor pattern_of(const Factored& f, const std::string& format) {
  tensor::Coordinates entries;
  entries.shape = {f.n, f.n};
  entries.field = tensor::Coordinates::Field::pattern;
  for (std::int64_t j = 0; j < f.n; ++j)
    for (int p = f.positions[j]; p < f.positions[j + 1]; ++p)
      entries.indices.insert(entries.indices.end(), {f.coordinates[p], j});
  entries.count = f.coordinates.size();
  return packed(entries, format_of("bool " + format, 2), format::Value::truth(false));
}

/// Of a square grid with `side` points a side, each joined to its neighbours.
tensor::Coordinates grid(std::int64_t side) {
  tensor::Coordinates entries;
  entries.shape = {side * side, side * side};
  const auto add = [&](std::int64_t i, std::int64_t j, double value) {
    entries.indices.insert(entries.indices.end(), {i, j});
    entries.reals.push_back(value);
  };
  for (std::int64_t i = 0; i < side * side; ++i) {
    add(i, i, 4.01);
    if ((i + 1) % side != 0) add(i, i + 1, -1), add(i + 1, i, -1);
    if (i + side < side * side) add(i, i + side, -1), add(i + side, i, -1);
  }
  entries.count = entries.reals.size();
  return entries;
}

struct Problem {
  std::string name;
  Factored factored;
};

void add_problems(std::vector<Problem>& problems, const std::string& name, const tensor::Coordinates& entries,
                  const std::vector<Ordering>& orderings = {Ordering::natural, Ordering::amd}) {
  const tensor::Tensor csc = packed(entries, *format::Format::named("csc", 2), zero);
  const auto numbers = [&](format::Array which) { return static_cast<const int*>(csc.array(1, which)); };
  const std::int64_t n = csc.shape()[0];
  const Compressed a{n,
                     n,
                     false,
                     numbers(format::Array::positions),
                     numbers(format::Array::coordinates),
                     static_cast<const double*>(csc.data())};
  for (const Ordering ordering : orderings)
    if (auto factored = cxsparse_cholesky(a, ordering))
      problems.push_back({name + (ordering == Ordering::amd ? ", AMD" : ", natural"), std::move(*factored)});
}

std::vector<Problem> problems(const Options& options) {
  std::vector<Problem> all;
  for (const std::int64_t side : {100, 200}) {
    const std::string name = std::to_string(side) + "x" + std::to_string(side) + " grid";
    add_problems(all, name, grid(side));
  }
  for (const std::string file : {"1138_bus.mtx", "nasa1824.mtx", "bcsstk16.mtx.gz", "wathen_small7400.mtx.gz"}) {
    const std::string path = options.data + "/matrix/" + file;
    if (options.data.empty() || !std::filesystem::exists(path)) continue;
    text::Diagnostics diagnostics;
    if (auto entries = tensor::read_matrix_market({path, {}, std::size_t{1} << 30}, diagnostics))
      add_problems(all, file.substr(0, file.find('.')), *entries);
  }
  return all;
}

run::Bindings data_of(const Factored& f) {
  const format::Format csc = *format::Format::named("csc", 2), csr = *format::Format::named("csr", 2);
  run::Bindings data;
  data.sizes = {{"n", f.n}};
  data.arrays["A"] = from_csc(f.n, f.a_positions, f.a_coordinates, f.a_values, csc);
  data.arrays["M"] = pattern_of(f, "{dense, compressed, pattern} @ (1, 0)");
  data.arrays["R"] = pattern_of(f, "{dense, compressed, pattern}");
  data.arrays["L"] = *data.arrays["M"].with_own_values(ScalarType::f64, csc, zero);
  data.arrays["F"] = from_csc(f.n, f.positions, f.coordinates, f.values, csc);
  data.arrays["G"] = from_csc(f.n, f.positions, f.coordinates, f.values, csr);
  data.arrays["b"] = random_vector(f.n, 3);
  data.arrays["x"] = random_vector(f.n, 4);
  return data;
}

void solves(Rows& rows, const Problem& p, const run::Bindings& data) {
  const auto x = std::make_shared<std::vector<double>>(static_cast<std::size_t>(p.factored.n));
  const auto* b = static_cast<const double*>(data.arrays.at("b").data());
  const Entrant peer{"cs_lsolve", called([x, b] { std::copy(b, b + x->size(), x->begin()); },
                                         [x, solve = p.factored.solve_lower] { solve(x->data()); })};
  const auto program = [](const std::string& tensor, const std::string& format, const std::string& order) {
    return module_of("tensor " + tensor + "(n, n): " + format + "\ntensor b(n)\ntensor x(n)\nx(i) = (b(i) - sum(j)(" +
                     tensor + "(i,j) * x(j))) / " + tensor + "(i,i) : j < i\norder " + order + "\n");
  };
  rows.push_back(
      contest("L x = b, csc j i, " + p.name, {"", native(program("F", "csc", "j i"), data)}, peer, 15, 1.05));
  rows.push_back(
      contest("L x = b, csr i j, " + p.name, {"", native(program("G", "csr", "i j"), data)}, peer, 15, 0.95));
}

void factors(Rows& rows, const Problem& p, const run::Bindings& data) {
  const Entrant peer{"cs_chol", called([] {}, p.factored.factor)};
  for (const auto& [order, aim] :
       {std::pair{"i k j", 1.1}, {"j k i", 1.1}, {"i j k", 0.3}, {"j i k", 0.3}, {"k j i", 0.3}, {"k i j", 0.3}}) {
    const auto ours = module_of(std::string("tensor A(n, n): csc\ntensor L(n, n): csc\n") +
                                "tensor M(n, n): {dense, compressed, pattern} @ (1, 0) bool\n"
                                "tensor R(n, n): {dense, compressed, pattern} bool\n"
                                "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
                                "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n"
                                "mask L M\nmask L R\norder " +
                                order + "\n");
    rows.push_back(
        contest(std::string("Cholesky, csc ") + order + ", " + p.name, {"", native(ours, data)}, peer, 3, aim));
  }
}

/// Where the factor has entries, in both layouts, found as `mask L auto` does.
void patterns(Rows& rows, const Problem& p) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("pattern",
                                 "tensor A(n, n): csc\ntensor L(n, n): csc\n"
                                 "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
                                 "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\nmask L auto\n");
  auto program = lang::resolve(lang::parse(sources, source, diagnostics), diagnostics);
  program = symbolic::with_patterns(std::move(*program), diagnostics);
  const auto how = symbolic::find_elimination(*program, program->kernels.front());
  const Factored& f = p.factored;
  const tensor::Tensor a = from_csc(f.n, f.a_positions, f.a_coordinates, f.a_values, *format::Format::named("csc", 2));
  const tensor::Tensor leaf = *tensor::entries_of(a, program->tensor("A_entries")->format);
  const auto find = [how, program, leaf, n = f.n] {
    const auto factor = symbolic::eliminate(
        *how, [&](const std::string&) -> const tensor::Tensor& { return leaf; },
        [&](const math::Affine& size) { return *size.evaluate([&](const std::string&) { return std::optional(n); }); });
    const auto mask = symbolic::pattern_of(*how, factor, "L_mask", program->tensor("L_mask")->format);
    tensor::entries_of(*mask, program->tensor("L_mask_t")->format);
  };
  rows.push_back(contest("pattern, " + p.name, {"", called([] {}, find)},
                         {"cs_etree, cs_ereach", called([] {}, f.pattern)}, 3, 0));
}

}  // namespace

Table bench_recurrences(const Options& options) {
  Rows rows;
  sweeps(rows);
  shortest_paths(rows);
  alignments(rows, options);
  paths(rows);
  for (const Problem& p : problems(options)) {
    const run::Bindings data = data_of(p.factored);
    solves(rows, p, data);
    factors(rows, p, data);
    patterns(rows, p);
  }
  std::vector<Problem> large;
  add_problems(large, "500x500 grid", grid(500), {Ordering::amd});
  for (const Problem& p : large) patterns(rows, p);
  return table_of("recurrences", std::move(rows));
}

}  // namespace trellis::bench
