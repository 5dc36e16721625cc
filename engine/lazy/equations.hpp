#pragma once
// A plan as equations of one kernel: what it keeps gets an equation in front of those that read it.
//
//   y(i) = A(i,j)*B(j,k)*x(k)      t1(j) = sum(k)(B(j,k) * x(k))
//                                  y(i) = sum(j)(A(i,j) * t1(j))

#include <set>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/lazy/plan.hpp"

namespace trellis::lazy {

struct Equations {
  std::vector<lang::syntax::Equation> equations;
  std::vector<std::string> kept;  ///< results that nobody asked for
  /// Loops, outermost first, as the plan has them for each equation; empty where no order of all agrees with these.
  std::vector<std::string> order;
};

/// Copies are left to who places the kernel (plan/copies.hpp). Names of what is kept, and of indices, are none of
/// `taken`.
Equations equations_of(const Alternative& plan, const std::set<std::string>& taken);

}  // namespace trellis::lazy
