#pragma once
// Early reduction, without statistics: steps that leave less to do if everything were dense, each with its reason
// (docs/design/arrays.md#rewrites).
//
//   sum(i,j,k)(A(i,j) * B(j,k) * x(k))    sum(i,j)(A(i,j) * sum(k)(B(j,k) * x(k)))

#include <string>
#include <vector>

#include "engine/lazy/rules.hpp"

namespace trellis::lazy {

struct Applied {
  Expr before, after;  ///< the whole expression
  std::string_view rule;
  Exactness how;
  std::string reason;
};

struct Rewriting {
  Expr expr;
  std::vector<Applied> steps;
};

/// `allowed` exact: only steps that leave all elements the same, bit for bit.
Rewriting rewrite(const Expr& expr, Exactness allowed, std::span<const Rule> rules = all_rules());

/// How many operations it takes if all operands were dense: an element of a map, or an element that is reduced, is one.
double dense_work(const Expr& expr);

/// "exact, factor_out: * distributes over sum".
std::string to_string(const Applied& step);

}  // namespace trellis::lazy
