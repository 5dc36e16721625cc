#pragma once
// Indices as maps of digits (math/index_map.hpp): what is written `k/m`, `k%m` or `i*m + j` and no affine form says.

#include <map>
#include <optional>
#include <string>

#include "engine/lang/expr.hpp"
#include "engine/math/index_map.hpp"

namespace trellis::lang {

/// The variables that run from 0 to a size, and that size.
std::map<std::string, math::Affine> spans_of(const math::Domain& domain);

/// An index over the variables of `spans`; all other names are sizes. Empty where it is no sum of products and digits,
/// or depends on values, or on variables that have no span.
std::optional<math::Index> index_map_of(const Expr& index, const std::map<std::string, math::Affine>& spans);

}  // namespace trellis::lang
