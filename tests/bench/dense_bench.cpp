// Native kernels beside C by hand and beside libraries: one compiler, the same flags, one thread, runs in turns.
#include "tests/bench/dense_bench.hpp"

namespace trellis::bench {

Table bench_dense(const Options& options) {
  std::vector<std::optional<Row>> rows;
  matrix_products(rows);
  shortest_paths(rows);
  alignments(rows, options);
  Table table{"dense", "native, one thread, in turns, medians", {}};
  int missing = 0;
  for (std::optional<Row>& row : rows) {
    if (row) table.rows.push_back(std::move(*row));
    else ++missing;
  }
  if (missing > 0) table.remark += "; " + std::to_string(missing) + " rows left out: third_party/README.md names the peers to install";
  return table;
}

}  // namespace trellis::bench
