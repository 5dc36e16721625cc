#pragma once
// The digits of a loop's variable in the indices of sparse tensors.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/affine.hpp"

namespace trellis::loop {

/// All are digits of `variable + offset`, or of `offset - variable`.
struct Digits {
  bool reversed = false;
  math::Affine offset;
  std::vector<std::int64_t> cuts;  ///< rising, each divides the next
};

/// Empty where there are none at levels that are walked, or no common cuts; nor where there is but the top digit, by
/// which a level can be walked as it is (access/inverse.hpp).
std::optional<Digits> find_digits(const For& loop, const lang::Program& program);

}  // namespace trellis::loop
