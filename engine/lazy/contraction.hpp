#pragma once
// A reduction of a product, as one thing: what the planner may associate and reduce early as it likes.
//
//   sum(i)(A(i,j) * sum(k)(B(j,k) * x(k)))      ⊕ sum, over i and k, ⊗ *, factors A(i,j), B(j,k), x(k)

#include "engine/lazy/facts.hpp"

namespace trellis::lazy {

struct Contraction {
  format::ReduceOp reduction = format::ReduceOp::sum;
  Fields over;                      ///< may be empty: a product alone
  std::optional<Operator> product;  ///< none of one factor
  std::vector<Expr> factors;
  /// May its factors be associated anew, and reduced before they meet others? Else it is computed as it is written.
  bool free = false;
};

/// Of an expression of any kind: one that reduces nothing is a product, or its own only factor. Reductions that stand
/// inside of products are drawn out where the laws allow it, and where that is no less exact than `allowed`.
Contraction contraction_of(const Expr& expr, Exactness allowed);

/// The operands of nested products with this operator, in their order.
void flatten(const Expr& expr, const Operator& op, std::vector<Expr>& into);
/// The first times the second, times the third, …
Expr product(const Operator& op, const std::vector<Expr>& factors);

}  // namespace trellis::lazy
