#pragma once
// A reduction inside an expression becomes a scalar that a loop has computed before.
//
//   x = 1 + sum(j)(A(i,j))   becomes   tensor sum_A: f64
//                                      sum_A = 0
//                                      for j in 0:m { sum_A += A(i,j) }
//                                      x = 1 + sum_A

#include <set>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

/// What has to stand before the statement: declarations of the scalars, and the statements that compute them.
struct Preparation {
  std::vector<Stmt> declarations, statements;
  bool empty() const { return declarations.empty(); }
};

class ReductionExpander {
 public:
  /// `taken`: names that the new scalars and variables must not have. The program outlives it.
  ReductionExpander(std::set<std::string> taken, const lang::Program& program)
      : taken_(std::move(taken)), program_(program) {}

  /// The expression without reductions. Those behind `&&`, `||` and `?` are computed only where the expression needs
  /// them.
  Expr expand(const Expr& expr, Preparation& before);

 private:
  Expr expand_guarded(const Expr& expr, const Expr& condition, Preparation& before);
  Expr accumulate(const Expr& expr, const lang::Reduce& reduce, Preparation& before);
  Expr choose_index(const Expr& expr, const lang::Reduce& reduce, Preparation& before);
  Stmt nest(const lang::Reduce& reduce, std::vector<Stmt> body, text::Span span) const;
  Expr declare(const std::string& base, format::ScalarType type, text::Span span, Preparation& before);
  std::string fresh(const std::string& base);

  std::set<std::string> taken_;
  const lang::Program& program_;
};

}  // namespace trellis::loop
