#pragma once
// Where a mask stores something, as a condition that coiteration walks.

#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::results {

/// `M(i,k)`, `M(i,k) != 0` of one that is no truth, `!M(i,k)` of one whose fill is true; `complement`: that this does
/// not hold.
lang::Expr mask_condition(const lang::TensorInfo& mask, const std::vector<lang::Expr>& indices,
                          bool complement = false);

}  // namespace trellis::results
