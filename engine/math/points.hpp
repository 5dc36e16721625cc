#pragma once
// The points of a domain at concrete sizes, one by one: for pictures, extents and tests. Small sizes only.

#include <functional>

#include "engine/math/solver.hpp"

namespace trellis::math {

/// Values of the domain's variables, in their order.
using Point = std::vector<std::int64_t>;

/// Calls `visit` for every point in lexicographic order. Each variable is bounded by the constraints that mention it
/// with variables before it or sizes; a side without such a bound stops at `limit` from zero.
void for_each_point(const Domain& domain, const Assignment& sizes, const std::function<void(const Point&)>& visit,
                    std::int64_t limit = 64);

}  // namespace trellis::math
