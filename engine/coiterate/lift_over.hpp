#pragma once
// What a loop does at every coordinate of a stretch through which its operands have one value each, done at once
// (docs/design/coiteration.md#lifting; Finch, section 6.2):
//
//   for i in first:last+1 { s += A(i)*t; m max= A(i) }     A a run     →     s += A*t * (last - first + 1); m max= A
//
// Lifting is a property of statements, not of levels, and loops inside are statements too: a sum adds its value as
// often as there are coordinates, a product raises it to that power, an idempotent update and an assignment happen
// once, and so does a choice, which is made where the stretch begins. What belongs to a coordinate is computed for the
// first one, and is that of all:
//
//   for i in first:last+1 { for j { C(i,j) = 2 * A(i,j) } }     A and C in runs of rows
//   →   for j { C(first..last,j) = 2 * A(first,j) }
//   for i in first:last+1 { y(i) = 0; for j { y(i) += A(i,j)*x(j) } }     y dense
//   →   y(first) = 0; for j { y(first) += A(first,j)*x(j) }; for i in first+1:last+1 { y(i) = y(first) }

#include <functional>
#include <optional>
#include <string>

#include "engine/coiterate/offers.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

struct Stretch {
  std::string variable;    ///< of the loop
  lang::Expr first, last;  ///< its coordinates
  /// Accesses whose value is the same all along, although the variable stands in one of their indices: that of this
  /// level, -1: none.
  std::function<bool(const lang::Access&, const lang::Expr& index)> is_steady;
  /// Results that take a run as such: `C(i) = e`.
  std::function<bool(const lang::Access& target)> takes_runs;
  TensorOf info;
  bool descending = false;
  std::function<bool(const math::Affine&)> non_negative;  ///< at all coordinates of the loop
};

struct LiftedOver {
  loop::Stmt once;
  bool at_first = false;             ///< the variable stands in it, for the first coordinate and all like it
  std::optional<loop::Stmt> copies;  ///< of what it left at the first coordinate, behind it
};

/// Empty where some statement needs the coordinate, or another iteration's result.
std::optional<LiftedOver> lift_over(const loop::Stmt& body, const Stretch& stretch);

}  // namespace trellis::coiterate
