#pragma once
// Iterations of a parallel loop that wait for earlier ones (flow::Await). They are handed out in an order in which each
// comes behind those that it needs, so that one of those under way can always go on:
//
//   j_over[j]     is iteration j over?
//   j_order       of all iterations: first tasks of several that need no others, then single ones     (prelude/tasks.c)

#include <string>
#include <vector>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

class OrderedIterations {
 public:
  OrderedIterations(Context& out, Memory& memory) : out_(out), memory_(memory) {}

  /// `low <= variable < high`
  struct Range {
    c::Expr low, high;
  };
  /// What is noted of the loop's iterations, allocated where it stands.
  void begin(const flow::Loop& loop, const Range& range);
  void end();

  /// Of the loop that began last: a `for` over its tasks, of one iteration each or of those in `order`.
  struct Tasks {
    c::Expr first, last;  ///< as of a loop over them
    std::string order;    ///< empty: the task's number is its iteration
    c::Expr begins;       ///< added to a task's number: where in `order` its iterations begin
    bool down = false;
  };
  const Tasks& tasks() const { return loops_.back().tasks; }

  /// Goes on when the loop's iteration of that coordinate is over; nothing where one thread runs them all.
  void await(const flow::Await& a);
  void finish(const std::string& variable);

 private:
  struct Waiting {
    std::string loop, over;
    c::Expr low;
    Tasks tasks;
  };
  c::Expr over(const Waiting& loop, const c::Expr& coordinate) const;
  /// If any of them was refused.
  void return_without(const std::vector<std::string>& arrays);

  Context& out_;
  Memory& memory_;
  std::vector<Waiting> loops_;
};

}  // namespace trellis::emit
