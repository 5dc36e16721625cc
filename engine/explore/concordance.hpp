#pragma once
// Which operands an order of loops goes through as they are stored: the part of what a plan costs that grows, known
// before anything is placed. After Ahrens, Kjolstad and Amarasinghe, "Autoscheduling for Sparse Tensor Algebra with an
// Asymptotic Cost Model" (PLDI 2022), section 5: a plan that does all that another does, and more, is left out.

#include <string>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::explore {

class Concordance {
 public:
  /// Of the sparse tensors that the loops access.
  Concordance(const loop::Stmt& loops, const lang::Program& program);

  /// Those of which no other one goes against fewer of the same operands' storage, in their order.
  std::vector<lang::Order> undominated(const std::vector<lang::Order>& orders) const;

 private:
  /// By access, whether the order searches it, or scatters into it.
  std::vector<bool> against(const lang::Order& order) const;

  std::vector<std::vector<std::string>> stored_;  ///< variables of an access, as its levels have them
};

}  // namespace trellis::explore
