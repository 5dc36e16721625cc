// Triangular solves beside CXSparse: of one right side, of two in one sweep over L, and of a sparse one.
#include <memory>

#include "tests/bench/dense_bench.hpp"
#include "tests/bench/factor_problems.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

/// x(i) of b, and of as many others as are named, in one nest.
std::string solve(const std::string& format, const std::vector<std::pair<std::string, std::string>>& systems) {
  std::string head = "tensor F(n, n): " + format + "\n", body;
  for (const auto& [x, b] : systems) {
    head += "tensor " + x + "(n)\ntensor " + b + "(n)\n";
    body += x + "(i) = (" + b + "(i) - sum(j)(F(i,j) * " + x + "(j))) / F(i,i) : j < i\n";
  }
  return head + body + "order " + (format == "csc" ? "j i" : "i j") + "\n";
}

const double* numbers(const run::Bindings& data, const std::string& name) {
  return static_cast<const double*>(data.arrays.at(name).data());
}

/// `cs_lsolve` of each of them, one after the other.
struct Peer {
  Entrant entrant;
  std::shared_ptr<std::vector<std::vector<double>>> x;
};
Peer peer(const FactorProblem& p, std::vector<const double*> b) {
  const auto n = static_cast<std::size_t>(p.factored.n);
  const auto x = std::make_shared<std::vector<std::vector<double>>>(b.size(), std::vector<double>(n));
  const auto prepare = [b, x, n] {
    for (std::size_t k = 0; k < b.size(); ++k) std::copy(b[k], b[k] + n, (*x)[k].begin());
  };
  const auto run = [x, solve = p.factored.solve_lower] {
    for (std::vector<double>& one : *x) solve(one.data());
  };
  return {{b.size() == 1 ? "cs_lsolve" : "cs_lsolve, each", called(prepare, run)}, x};
}

void sparse_right_side(Rows& rows, const FactorProblem& p) {
  const auto n = p.factored.n;
  std::vector<int> ones;
  for (int k = 1; k <= 3; ++k) ones.push_back(static_cast<int>(n * k / 4));
  const auto reached = cxsparse_reached(p.factored.l, ones);
  if (!reached) return;
  const auto vector = [&](const std::vector<int>& places, const std::vector<double>& values) {
    tensor::Coordinates entries;
    entries.shape = {n};
    entries.indices.assign(places.begin(), places.end());
    entries.reals.assign(values.begin(), values.end());
    entries.count = places.size();
    return entries;
  };
  const format::Value zero = format::Value::of(ScalarType::f64, 0);
  run::Bindings data;
  data.sizes = {{"n", n}};
  data.arrays["F"] = from_columns(p.factored.l, *format::Format::named("csc", 2));
  data.arrays["b"] = packed(vector(ones, {1, 1, 1}), format_of("compressed", 1), zero);
  tensor::Coordinates places = vector(reached->places, {});
  places.field = tensor::Coordinates::Field::pattern;
  data.arrays["m"] = packed(places, format_of("bool {compressed, pattern}", 1), format::Value::truth(false));
  data.arrays["x"] = *data.arrays["m"].with_own_values(ScalarType::f64, format_of("compressed", 1), zero);
  const Entrant peer{"cs_spsolve", called([] {}, reached->solve)};
  for (const auto& [how, mask, aim] : {std::tuple{"no mask", "", 1.7}, {"its pattern given", "mask x m\n", 2.0}}) {
    const auto results = std::make_shared<run::Bindings>();
    const auto module = module_of(
        "tensor F(n, n): csc\ntensor b(n): compressed\ntensor x(n): compressed\n"
        "tensor m(n): {compressed, pattern} bool\n"
        "x(i) = (b(i) - sum(j)(F(i,j) * x(j))) / F(i,i) : j < i\norder j i\n" +
        std::string(mask));
    const std::string group = std::string("L x = b, b sparse, ") + how;
    const auto apart = [&] {
      std::vector<double> found;
      for (const int i : reached->places)
        found.push_back(results->arrays["x"].get(std::vector<std::int64_t>{i}).as_double());
      return difference(found.data(), reached->values.data(), found.size());
    };
    rows.push_back(
        of_group(group, contest(group + ", " + p.name, {"", native(module, data, 1, results)}, peer, 15, aim), apart));
  }
}

}  // namespace

void triangular_solves(Rows& rows, const FactorProblem& p) {
  const auto n = static_cast<std::size_t>(p.factored.n);
  run::Bindings data;
  data.sizes = {{"n", p.factored.n}};
  std::uint64_t seed = 3;
  for (const std::string name : {"b", "x", "c", "y"}) data.arrays[name] = random_vector(p.factored.n, seed++);
  for (const auto& [format, one, two] : {std::tuple{"csc", 1.05, 1.9}, {"csr", 0.95, 1.9}}) {
    data.arrays["F"] = from_columns(p.factored.l, *format::Format::named(format, 2));
    const std::string how = std::string(format) + (format == std::string("csc") ? " j i" : " i j");
    const auto row = [&](const std::string& group, const std::vector<std::pair<std::string, std::string>>& systems,
                         double aim) {
      std::vector<const double*> right_sides;
      for (const auto& [x, b] : systems) right_sides.push_back(numbers(data, b));
      const Peer theirs = peer(p, right_sides);
      const auto results = std::make_shared<run::Bindings>();
      const Entrant ours{"", native(module_of(solve(format, systems)), data, 1, results)};
      const auto apart = [&] {
        double most = 0;
        for (std::size_t k = 0; k < systems.size(); ++k)
          most = std::max(most, difference(numbers(*results, systems[k].first), (*theirs.x)[k].data(), n));
        return most;
      };
      rows.push_back(of_group(group, contest(group + ", " + p.name, ours, theirs.entrant, 15, aim), apart));
    };
    row("L x = b, " + how, {{"x", "b"}}, one);
    row("L x = b and L y = c, fused, " + how, {{"x", "b"}, {"y", "c"}}, two);
  }
  sparse_right_side(rows, p);
}

}  // namespace trellis::bench
