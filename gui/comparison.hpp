#pragma once
// The program that is open, side A, and, while two orders or kernels are compared, what it was, side B: which of the
// two is stepped, and which steps of them do the same.

#include <functional>
#include <memory>

#include "gui/document.hpp"

namespace trellis::gui {

class Comparison {
 public:
  /// Each side has a session with these options, whose worker calls `wake`.
  Comparison(session::Options options, std::function<void()> wake);

  /// Without a side B, side A is all there is.
  Document& document(char side = 'A') { return side == 'B' && b_ ? *b_ : *a_; }
  bool on() const { return b_ != nullptr; }
  /// Side B is what side A is now.
  void begin();
  void end();
  void update(double now);
  bool idle() const { return a_->idle() && (!b_ || b_->idle()); }

  /// The side that is stepped, which the other follows.
  char leading() const { return b_ ? leading_ : 'A'; }
  void lead(char side) { leading_ = side; }
  /// Finds which steps of the two sides do the same, where both have been executed.
  void pair(const session::KernelView* a, const session::KernelView* b);
  /// There is nothing to pair, or it is done.
  bool paired() const { return !b_ || counterparts_; }
  /// Of that side's steps; null: nothing is compared.
  const std::shared_ptr<const explore::Counterparts>& counterparts(char side) const {
    return side == 'A' ? counterparts_ : counterparts_b_;
  }
  /// The side that follows goes to where it does the same as the other.
  void follow(Steps& a, Steps& b) const;

 private:
  session::Options options_;
  std::function<void()> wake_;
  std::unique_ptr<Document> a_, b_;
  char leading_ = 'A';
  std::shared_ptr<const explore::Counterparts> counterparts_, counterparts_b_;
};

}  // namespace trellis::gui
