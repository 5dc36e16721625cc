#pragma once
// Integers of several widths: which types hold all values of others, and in which they are added up.

#include <optional>

#include "engine/format/scalar.hpp"

namespace trellis::lang::resolving {

/// Does every value of the integer type `narrow` fit `wide`?
bool holds(format::ScalarType wide, format::ScalarType narrow);
/// The smallest integer type that holds both; none holds those of u64 and negative ones.
std::optional<format::ScalarType> common_integer(format::ScalarType a, format::ScalarType b);
/// Of sums, products and results that nobody gave a type: 64 bits, signed wherever that holds all. Other types stay.
format::ScalarType accumulating(format::ScalarType type);

}  // namespace trellis::lang::resolving
