#pragma once
// The parts of `trellis bench shapes`.

#include "tests/bench/shapes_problem.hpp"

namespace trellis::bench {

/// Kernels of shape operators beside the same in SciPy, grouped by kernel.
void shapes_beside_scipy(Rows& rows, const std::vector<ShapesProblem>& problems);

}  // namespace trellis::bench
