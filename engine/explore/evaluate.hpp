#pragma once
// Integer expressions at given values of their names: bounds and conditions that no tensor has a part in.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/lang/expr.hpp"

namespace trellis::explore {

using Names = std::map<std::string, std::int64_t>;

/// Empty for floating values, for what tensors hold, and when a name has no value. Truth values are 0 and 1.
std::optional<std::int64_t> evaluate(const lang::Expr& expr, const Names& names);

}  // namespace trellis::explore
