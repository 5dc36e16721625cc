// Native kernels beside C by hand and beside libraries: one compiler, the same flags, one thread, runs in turns.
#include "tests/bench/dense_bench.hpp"

#include "tests/bench/contest.hpp"

namespace trellis::bench {

Table bench_dense(const Options& options) {
  std::vector<std::optional<Row>> rows;
  matrix_products(rows);
  blocks(rows);
  shortest_paths(rows);
  alignments(rows, options);
  narrow_alignments(rows);
  return table_of("dense", std::move(rows));
}

}  // namespace trellis::bench
