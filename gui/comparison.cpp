#include "gui/comparison.hpp"

namespace trellis::gui {

Comparison::Comparison(session::Options options, std::function<void()> wake)
    : options_(std::move(options)), wake_(std::move(wake)), a_(std::make_unique<Document>(options_, wake_)) {}

void Comparison::begin() {
  b_ = std::make_unique<Document>(options_, wake_);
  b_->open(a_->path(), a_->editor().text());
}

void Comparison::end() {
  b_.reset();
  counterparts_.reset(), counterparts_b_.reset();
}

void Comparison::update(double now) {
  a_->update(now);
  if (b_) b_->update(now);
}

void Comparison::pair(const session::KernelView* a, const session::KernelView* b) {
  counterparts_.reset(), counterparts_b_.reset();
  if (!b_ || !execution_of(a) || !execution_of(b) || !a->drawn || !b->drawn) return;
  const auto executed = [](const session::KernelView& one) {
    return explore::Execution{one.explained->execution->trace, one.drawn->account.points, one.explained->fragments};
  };
  const explore::Execution of_a = executed(*a), of_b = executed(*b);
  counterparts_ = std::make_shared<const explore::Counterparts>(explore::counterparts(of_a, of_b));
  counterparts_b_ = std::make_shared<const explore::Counterparts>(explore::counterparts(of_b, of_a));
}

void Comparison::follow(Steps& a, Steps& b) const {
  if (!b_ || !counterparts_) return;
  if (leading_ == 'A') b.execution = explore::follow(*counterparts_, a.execution);
  else a.execution = explore::follow(*counterparts_b_, b.execution);
}

}  // namespace trellis::gui
