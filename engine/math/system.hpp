#pragma once
// Constraints as rows of numbers, one column an unknown: what simplex.hpp and isl read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/affine.hpp"
#include "engine/math/simplex.hpp"

namespace trellis::math {

using Names = std::vector<std::string>;

/// One conjunction: rows have a constant, a coefficient for each name, then one for each quotient. `q = a div d` is an
/// unknown with `d*q <= a < d*q + d`.
struct System {
  const Names* names;
  std::vector<Row> equalities = {}, inequalities = {};
  std::vector<std::pair<Affine, std::int64_t>> divided = {};  ///< numerators and divisors, by quotient

  void require(const Affine& left, Relation relation, const Affine& right);
  std::size_t unknowns() const { return names->size() + divided.size(); }

 private:
  void add(Row& to, const Affine& affine, std::int64_t factor);
  std::size_t column_of(const Quotient& quotient);
};

/// A system and more constraints. `a != b` is a union; each way of resolving all of them is one system.
std::vector<System> systems(System from, const std::vector<Constraint>& constraints);

}  // namespace trellis::math
