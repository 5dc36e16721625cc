#pragma once
// Numbers and origins of typed expressions. Numbers are in pre-order, each equation's before those of its expressions.
// Origins are the syntax that stands at an expression's span: resolving adds casts and writes out sums, which come from
// what they wrap.

#include <map>

#include "engine/lang/program.hpp"
#include "engine/lang/syntax.hpp"

namespace trellis::lang::resolving {

/// Of one kernel: each begins at 0, unless its first equations are numbered already.
class NodeNumbers {
 public:
  explicit NodeNumbers(int first) : next_(first) {}

  void number(Equation& equation, const syntax::Equation& source);
  void number(Until& until, const syntax::Until& source);

 private:
  void remember(const syntax::Expr& e);
  Expr numbered(const Expr& e, const text::Origin& around);

  std::map<text::Span, text::NodeId> at_;  ///< of the equation's syntax
  int next_;
};

}  // namespace trellis::lang::resolving
