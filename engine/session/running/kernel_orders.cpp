#include "engine/session/running/kernel_orders.hpp"

#include "engine/explore/orders.hpp"

namespace trellis::session {

std::optional<KernelOrders> KernelOrders::of(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  KernelOrders result;
  if (!kernel.loops) {
    result.analysis_ = state.analysis(kernel, diagnostics);
    if (!result.analysis_) return std::nullopt;
    result.present_ = order_of(kernel, *result.analysis_);
    return result;
  }
  result.written_ = state.unscheduled(kernel, diagnostics);
  if (!result.written_) return std::nullopt;
  const Compilation& written = *result.written_;
  result.loops_ = std::make_shared<explore::LoopOrders>(written.loops, kernel.variables(), written.stored);
  result.present_ = result.loops_->completed(kernel.schedule.order);
  result.as_written_ = !kernel.schedule.order;
  return result;
}

explore::Judge KernelOrders::judge() const { return loops_ ? loops_->judge() : explore::judge(*analysis_); }

lang::Order KernelOrders::in_force() const {
  return as_written_ && !judge().is_legal(present_) ? lang::Order{} : present_;
}

std::vector<lang::Order> KernelOrders::other_legal_ones(std::size_t most) const {
  constexpr int most_judged = 24;
  std::vector<lang::Order> legal;
  const explore::Judge legality = judge();
  int judged = 0;
  explore::walk_orders(present_, explore::Directions::ascending, [&](const lang::Order& order, int distance) {
    if (distance > 0 && legality.is_legal(order)) legal.push_back(order);
    return ++judged < most_judged && legal.size() < most;
  });
  return legal;
}

explore::Why KernelOrders::why_present() const {
  if (!as_written_) return why(present_);
  explore::Why written;
  written.order = in_force();
  written.legal = true;
  return written;
}

std::optional<std::pair<std::string, std::string>> KernelOrders::both_ways() const {
  return loops_ ? loops_->both_ways() : std::nullopt;
}

explore::Why KernelOrders::why(const lang::Order& order) const {
  return loops_ ? loops_->why(order) : explore::why(*analysis_, order);
}

text::Diagnostic KernelOrders::to_diagnostic(const explore::Why& why, text::Span span,
                                             const std::vector<text::Span>& loop_spans) const {
  return loops_ ? loops_->to_diagnostic(why, span) : explore::to_diagnostic(why, span, loop_spans);
}

}  // namespace trellis::session
