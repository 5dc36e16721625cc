#pragma once
// What is known where a statement stands: bounds of the enclosing loops, conditions of the enclosing ifs, values of
// lets. Passes hand a Context down the tree by value; only what is affine is remembered, so that it stays true whatever
// is written.

#include <optional>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

class Context {
 public:
  explicit Context(math::Solver& solver) : solver_(&solver) {}

  Context inside(const For& loop) const;
  Context inside(const Let& let) const;
  /// Inside the body of any statement; of an if, inside its first body (`then`) or its second.
  Context within(const Stmt& stmt, bool first_body = true) const;
  /// Where `condition` holds, or does not: what lang/known_where.hpp makes of it.
  Context where(const Expr& condition) const;
  Context where_not(const Expr& condition) const;
  Context where(const math::Constraint& constraint) const;

  bool implies(const math::Constraint& constraint) const;
  /// The truth of an affine comparison, if it is the same at every point.
  std::optional<bool> decide(const math::Constraint& constraint) const;
  /// The truth of an affine comparison, as an expression.
  std::optional<bool> decide(const Expr& comparison) const;
  bool at_most(const math::Affine& a, const math::Affine& b) const;

  /// What is known, over the names of the loops and lets around.
  const math::Domain& domain() const { return known_; }
  /// Names bound by loops and lets: what `lang::to_expr` needs.
  const std::vector<std::string>& names() const { return known_.variables; }
  Expr to_expr(const math::Affine& affine) const { return lang::to_expr(affine, names()); }
  Expr to_expr(const math::Constraint& constraint) const { return lang::to_expr(constraint, names()); }

 private:
  Context with(const std::vector<math::Constraint>& more) const;

  math::Solver* solver_;
  math::Domain known_;
};

/// `a && b && c` as a, b, c; any other condition as itself.
std::vector<Expr> conjuncts(const Expr& condition);
/// The inverse; `true` for none.
Expr conjunction(const std::vector<Expr>& conditions);

/// A bound of a loop taken apart: the arguments of `max` in a low, of `min` in a high bound, nested ones too; else
/// itself.
std::vector<Expr> arguments(const Expr& bound, format::Function function);
/// Those of them that are affine. Each is a bound of its own.
std::vector<math::Affine> alternatives(const Expr& bound, format::Function function);

/// Without quotients whose numerators are less than their divisors, and not negative: (4*i + j)/4 is i for j < 4.
math::Affine cancel_digits(const math::Affine& form, const Context& known);

/// With digits of a tile in the place of those of its coordinates: where 8*j_8 <= j < 8*j_8 + 8, j/24 is j_8/3.
math::Affine digits_of_tiles(const math::Affine& form, const Context& known);

/// Could evaluating it be a fault? Integer division by what is no nonzero constant, or an index that is not affine.
bool may_fault(const Expr& expr);

/// Does anything in the statement assign to or reset a tensor that the expression reads?
bool writes_what_reads(const Stmt& stmt, const Expr& expr);

}  // namespace trellis::loop
