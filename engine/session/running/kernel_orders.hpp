#pragma once
// What decides about the orders of a kernel, whether it holds equations or loops: what orders, why and suggest ask.

#include <memory>
#include <optional>

#include "engine/explore/loop_orders.hpp"
#include "engine/explore/why.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

class KernelOrders {
 public:
  /// Empty when the kernel is wrong whatever its order, which is reported.
  static std::optional<KernelOrders> of(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

  const lang::Order& present() const { return present_; }  ///< in which the kernel runs, or is asked to
  explore::Judge judge() const;                            ///< which this outlives
  /// `present`; nothing where loops for which no order is asked stand as no order of their names would put them.
  lang::Order in_force() const;
  /// So many of the nearest ones, without those that run downwards.
  std::vector<lang::Order> other_legal_ones(std::size_t most = 4) const;
  /// Loops for which no order is asked run as they are written, which is what they mean.
  bool is_legal() const { return as_written_ || judge().is_legal(present_); }
  explore::Why why_present() const;
  /// Of a loop program: two loops of which each stands in the other somewhere.
  std::optional<std::pair<std::string, std::string>> both_ways() const;
  explore::Why why(const lang::Order& order) const;
  text::Diagnostic to_diagnostic(const explore::Why& why, text::Span span,
                                 const std::vector<text::Span>& loop_spans) const;

 private:
  std::shared_ptr<const place::Analysis> analysis_;  ///< of equations, else null
  std::shared_ptr<const Compilation> written_;       ///< of a loop program, and what decides about it
  std::shared_ptr<explore::LoopOrders> loops_;
  bool as_written_ = false;  ///< loops for which no order is asked
  lang::Order present_;
};

}  // namespace trellis::session
