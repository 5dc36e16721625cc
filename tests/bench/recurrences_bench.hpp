#pragma once
// The parts of `trellis bench recurrences`. Each adds its rows.

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

/// Sweeps of Gauss-Seidel over a grid, one by one and on a wavefront, beside loops by hand.
void sweeps(Rows& rows);
/// Heat in two and three dimensions, as a session runs it.
void heat(Rows& rows);
/// The most likely path, over all transitions and over those that are stored, on one thread and on two.
void paths(Rows& rows);

}  // namespace trellis::bench
