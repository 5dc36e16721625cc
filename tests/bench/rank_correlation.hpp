#pragma once
// Whether two measures put things into the same order.

#include <vector>

namespace trellis::bench {

/// Spearman's ρ, from -1 to 1, of at least two pairs; values within 5 % of the least of them share a rank, since clocks
/// cannot tell them apart. 0 when all of one side share one.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace trellis::bench
