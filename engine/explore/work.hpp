#pragma once
// How much arithmetic a loop nest does at given sizes: operations on floating values, counted on the very loops that
// run.

#include <map>
#include <optional>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::explore {

/// Additions, multiplications, divisions and calls, each 1, an update as `+=` too; powers by small integers as their
/// multiplications. Of an `if` or a `?:` that depends on data the dearer side counts. Long loops whose bodies depend on
/// their variable are sampled. Empty when the number of iterations depends on data.
std::optional<double> count_flops(const loop::Stmt& loops, const std::map<std::string, std::int64_t>& sizes);

}  // namespace trellis::explore
