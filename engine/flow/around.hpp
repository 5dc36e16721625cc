#pragma once
// What the loops around a place in the control flow say, for a solver: where ranges.hpp, which needs none, is not
// enough.

#include "engine/flow/flow.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/function_ref.hpp"

namespace trellis::flow {

/// Bounds of loops that are affine, quotients by numbers among them, are known; others say nothing.
class Around {
 public:
  /// No level has a negative size.
  explicit Around(const Flow& flow);

  void enter(const Loop& loop);
  /// A variable of which nothing is known but low <= variable < high.
  void enter(const std::string& variable, const Expr& low, const Expr& high);
  void leave(std::size_t loops = 1);
  /// The statement with its children changed, each inside of the loop if the statement is one.
  Stmt with_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> change);

  /// Does it hold in each iteration?
  bool implies(const math::Constraint& constraint) { return solver_.implies(known(), constraint); }
  /// Is the integer expression never negative?
  bool non_negative(const Expr& expr);
  /// Is each coordinate sure to be one of its level, all of which are dense?
  bool in_range(const Position& position, const Tensor& tensor);
  /// Are the two never one element, whatever the values of the variables in either? Both of dense levels.
  bool apart(const Position& a, const Position& b);

 private:
  math::Domain known() const;

  struct Range {
    std::string variable;
    std::vector<math::Constraint> bounds;
  };
  std::vector<Range> loops_;
  math::Solver solver_;
};

/// The arguments of a minimum or maximum, those of arguments too; or the expression itself.
std::vector<Expr> alternatives(const Expr& bound, format::Function function);

}  // namespace trellis::flow
