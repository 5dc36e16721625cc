#pragma once
// What a flow takes, tallied while its statements are gone through: body by body of its loops, each part charged to the
// statement that asks for it (estimate.hpp).

#include <vector>

#include "engine/cost/body.hpp"
#include "engine/cost/estimate.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::cost {

class Tally {
 public:
  Tally(const Data& data, const Machine& machine) : data_(data), machine_(machine) {}

  /// The loops around.
  const std::vector<Level>& levels() const { return levels_; }
  Body& body() { return *body_; }
  /// How often the present statement is executed.
  double executions() const { return (levels_.empty() ? 1 : levels_.back().executions()) * share_; }

  /// What `inside` adds is that of the statement of this number; of the body of a loop inside the present one; of what
  /// happens so often in an iteration of the present body; or takes its part of so many threads.
  template <class Inside>
  void of_statement(int id, Inside&& inside) {
    const Scoped statement(statement_, id);
    inside();
  }
  template <class Inside>
  void in_loop(const Level& level, Inside&& inside) {
    Body own;
    const Scoped body(body_, &own);
    const Scoped share(share_, 1.0);
    levels_.push_back(level);
    inside();
    charge();
    levels_.pop_back();
  }
  template <class Inside>
  void times(double share, Inside&& inside) {
    const Scoped all(share_, share_ * share);
    inside();
  }
  template <class Inside>
  void in_threads(double speed, Inside&& inside) {
    const Scoped all(speed_, speed_ * speed);
    inside();
  }

  /// Cycles that no vector makes fewer.
  void scalar(double cycles);
  void operate(double cycles);
  /// An access to an element of this type.
  void touch(Access access, format::ScalarType type);

  /// All of it, once the statements outside of loops are charged as well.
  Estimate finish();

 private:
  void ask_for(double cycles) { body_->asked_by[statement_] += share_ * cycles; }
  /// Adds what the present body takes in all its iterations.
  void charge();

  const Data& data_;
  const Machine& machine_;
  Body outermost_;
  Body* body_ = &outermost_;
  std::vector<Level> levels_;
  double share_ = 1;    ///< how often the present statement runs in an iteration of the present body
  double speed_ = 1;    ///< of so many threads
  int statement_ = -1;  ///< the present one
  Estimate made_;
};

}  // namespace trellis::cost
