// Sparse Cholesky by supernodes beside CXSparse, column by column, and CHOLMOD, by supernodes and a BLAS.
#include <memory>

#include "engine/tensor/from_lists.hpp"
#include "engine/tensor/supernodes.hpp"
#include "tests/bench/factor_problems.hpp"

namespace trellis::bench {
namespace {

const std::string program =
    "tensor A(n, n): csc\ntensor L(n, n): csc\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j\n"
    "order j k i\nsupernodes S of L relax 48\n";

/// The matrix, where its factor has entries, and its supernodes.
run::Bindings data_of(const Factored& f) {
  const format::Format csc = *format::Format::named("csc", 2),
                       csc_pattern = format_of("bool {dense, compressed, pattern} @ (1, 0)", 2);
  run::Bindings data;
  data.sizes = {{"n", f.n}};
  data.arrays["A"] = from_columns(f.a, csc);
  const tensor::Tensor pattern = pattern_of(f.l, "{dense, compressed, pattern} @ (1, 0)");
  const tensor::ColumnsBelow columns(pattern);
  const std::vector<std::int32_t> firsts = tensor::supernodes(columns, 48);
  data.arrays["S"] = *tensor::pattern_from(firsts, f.n, format_of("bool {compressed, pattern}", 1));
  data.arrays["L_panels"] = *tensor::pattern_from(tensor::panels(columns, firsts, true), true, {f.n, f.n}, csc_pattern);
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  data.arrays["L"] = *data.arrays["L_panels"].with_own_values(format::ScalarType::f64, csc, zero);
  return data;
}

}  // namespace

void supernodal_factors(Rows& rows, const FactorProblem& p) {
  const run::Bindings data = data_of(p.factored);
  const auto row = [&](const std::string& group, const Entrant& peer, double aim) {
    const auto results = std::make_shared<run::Bindings>();
    const Entrant ours{"", native(module_of(program + "fused\n"), data, 1, results)};
    const auto apart = [&] { return difference_at(results->arrays["L"], p.factored.l); };
    rows.push_back(of_group(group, contest(group + ", " + p.name, ours, peer, 3, aim), apart));
  };
  row("Cholesky, supernodes", {"cs_chol", called([] {}, p.factored.factor)}, 2.5);
  if (const auto cholmod = cholmod_supernodal(p.factored.a))
    row("Cholesky, supernodes of CHOLMOD", {"CHOLMOD", called([] {}, *cholmod)}, 1.3);
}

}  // namespace trellis::bench
