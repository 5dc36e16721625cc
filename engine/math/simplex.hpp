#pragma once
// Systems of linear comparisons of integers, in machine numbers: most of what remains behind differences.hpp is told
// by fractions, in a tenth of the time of a general solver. Where no fractions solve a system, no integers do; where
// those that were found are integers, there are some; else an unknown is at most the integer below its fraction or at
// least the one above (branch and bound). After some of that isl has the last word.
//
// The general simplex: rows are unknowns with bounds, which are pivoted until all keep theirs or one cannot
// (Dutertre and de Moura, A fast linear-arithmetic solver for DPLL(T), section 3), by the least number first, so that
// it ends (Bland).

#include <cstdint>
#include <optional>
#include <vector>

namespace trellis::math {

/// A constant, then a coefficient of each unknown; absent ones are 0.
using Row = std::vector<std::int64_t>;

/// Has `row = 0` for all equalities and `row >= 0` for all inequalities no solution in integers? Nothing where neither
/// is known, as where numbers grow beyond 64 bits.
std::optional<bool> has_no_solution(const std::vector<Row>& equalities, const std::vector<Row>& inequalities);

}  // namespace trellis::math
