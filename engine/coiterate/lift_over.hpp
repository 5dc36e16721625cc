#pragma once
// What a loop does at every coordinate of a stretch through which its operands have one value each, done at once
// (COITERATION rules 8 and 20; Finch, section 6.2):
//
//   for i in first:last+1 { s += A(i)*t; m max= A(i) }     A a run     →     s += A*t * (last - first + 1); m max= A
//
// Lifting is a property of statements, not of levels: a sum adds its value as often as there are coordinates, a product
// raises it to that power, an idempotent update and an assignment happen once.

#include <functional>
#include <optional>

#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

struct Stretch {
  std::string variable;  ///< of the loop
  lang::Expr count;      ///< how many coordinates; at least one
  /// Accesses whose value is the same all along, although the variable stands in one of their indices: that of this
  /// level, -1: none.
  std::function<bool(const lang::Access&, const lang::Expr& index)> is_steady;
  /// Results that take a run as such: `C(i) = e`.
  std::function<bool(const lang::Access& target)> takes_runs;
};

/// Empty where some statement needs the coordinate, or another turn's result.
std::optional<loop::Stmt> lift_over(const loop::Stmt& body, const Stretch& stretch);

}  // namespace trellis::coiterate
