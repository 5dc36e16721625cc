#pragma once
// The parts of `trellis bench layouts`.

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

/// A matrix in csr times a sparse vector, beside TACO's merge by hand and GraphBLAS: as the kernel chooses when it
/// begins, and found in each single way.
void sparse_times_sparse(Rows& rows, const Options& options);

}  // namespace trellis::bench
