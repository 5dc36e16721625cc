#pragma once
// Estimates beside measurements: which orders were measured to stand elsewhere than the estimate puts them.

#include <vector>

#include "engine/explore/orders.hpp"

namespace trellis::explore {

/// By row: there is another row that the estimate says is slower, and the clock says is faster, or the other way round,
/// each by more than `margin` (a share of the faster one). Rows without both numbers are none of them.
std::vector<bool> refuted_estimates(const std::vector<Verdict>& rows, double margin = 0.05);

}  // namespace trellis::explore
