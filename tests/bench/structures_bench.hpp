#pragma once
// The parts of `trellis bench structures`.

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

void structured_products(Rows& rows);
void pictures(Rows& rows, const Options& options);

}  // namespace trellis::bench
