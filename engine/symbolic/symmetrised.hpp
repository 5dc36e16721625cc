#pragma once
// A factor whose two triangles have one pattern, the transpose of each other: where either would have an entry, so has
// the other. Such a bound on L and U is the factor of the symmetric matrix that stores what A stores, or its transpose.
// Source: George and Ng, An implementation of Gaussian elimination with partial pivoting for sparse systems;
// docs/design/blocks.md#supernodes.
//
//   L_mask(i,j) = A_entries(i,j) || any(k)(L_mask(i,k) && U_mask(k,j))    : k < j < i
//   U_mask(j,i) = A_entries(j,i) || any(k)(L_mask(j,k) && U_mask(k,i))    : k < j <= i
//   →
//   L_mask(i,j) = A_entries(i,j) || A_entries(j,i) || any(k)(L_mask(i,k) && L_mask(j,k)) || …    : k < j < i

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::symbolic {

/// The equations of `own`, with those of `other` in them. Empty where `other` has not one equation off the diagonal, or
/// left sides have other indices than variables.
std::optional<std::vector<lang::Equation>> symmetrised(const std::vector<lang::Equation>& twin, const std::string& own,
                                                       const std::string& other);

}  // namespace trellis::symbolic
