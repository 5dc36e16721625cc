// Loops that carry values from one iteration to the next. Sparse factors and solves are measured on each matrix in
// turn, so that one is in memory at a time; their rows are put together by what they compute.
#include "tests/bench/recurrences_bench.hpp"

#include "tests/bench/dense_bench.hpp"
#include "tests/bench/factor_problems.hpp"

namespace trellis::bench {

Table bench_recurrences(const Options& options) {
  Rows rows;
  sweeps(rows);
  heat(rows);
  shortest_paths(rows);
  alignments(rows, options);
  paths(rows);
  const std::vector<FactorProblem> problems = factor_problems(options);
  if (problems.empty()) rows.push_back(std::nullopt);  // it takes CXSparse to make them
  for (const FactorProblem& p : problems) {
    triangular_solves(rows, p);
    cholesky_factors(rows, p);
    supernodal_factors(rows, p);
    lu_factors(rows, p);
    factor_patterns(rows, p);
  }
  for (const FactorProblem& p : supernodal_problems(options)) supernodal_factors(rows, p);
  for (const FactorProblem& p : grid_problem(sized(500, 12))) factor_patterns(rows, p);
  Table table = table_of("recurrences", std::move(rows));
  table.remark += "; without masks, factors of matrices of some thousand rows alone, as loops look at all of n²";
  return table;
}

}  // namespace trellis::bench
