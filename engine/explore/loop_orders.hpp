#pragma once
// The orders of a loop program: `order` lets the loops that are named take each other's places, in every nest that has
// them. An order is legal when the schedule proves it of the loops as they were written, for all sizes.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/explore/orders.hpp"
#include "engine/explore/why.hpp"
#include "engine/schedule/dependences.hpp"

namespace trellis::explore {

class LoopOrders {
 public:
  /// `loops` as the schedule finds them; `names` are the loops that an order can name, which those of reductions are
  /// not. The program outlives it.
  LoopOrders(const loop::Stmt& loops, std::vector<std::string> names, const lang::Program& program);

  /// The order with this one taken: outermost and first in the text first, also those that it does not name.
  lang::Order completed(const std::optional<lang::Order>& order);
  Judge judge();  ///< which this outlives
  /// Two loops of which each stands in the other somewhere: then no order is that in which the loops were written.
  std::optional<std::pair<std::string, std::string>> both_ways() const;
  Why why(const lang::Order& order);
  text::Diagnostic to_diagnostic(const Why& why, text::Span span);

 private:
  /// Which loop of two stands outside, and who runs downwards: orders that agree on it give the same loops.
  using Arrangement = std::vector<bool>;
  lang::Order order_of(const loop::Stmt& loops) const;
  Arrangement arrangement(const lang::Order& order) const;
  const Verdict& judged(const lang::Order& order);
  std::variant<schedule::Applied, schedule::Refusal> attempt(const lang::Order& order);

  const lang::Program& program_;
  std::vector<std::string> names_;
  std::unique_ptr<math::Solver> solver_;
  loop::Stmt loops_;
  schedule::Nest nest_;
  std::vector<std::pair<std::string, std::string>> nested_;  ///< outer and inner, wherever one stands in the other
  std::map<Arrangement, Verdict> judged_;
};

}  // namespace trellis::explore
