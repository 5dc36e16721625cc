#pragma once
// Loops over coordinates within bounds, one after another, on threads, or in vectors.

#include <functional>
#include <optional>
#include <string>

#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/ordered_iterations.hpp"
#include "engine/emit/result.hpp"
#include "engine/emit/threads.hpp"
#include "engine/emit/waiting.hpp"

namespace trellis::emit {

class Loops {
 public:
  Loops(Context& out, Memory& memory, Threads& threads, Results& results, Counts& counts, OrderedIterations& ordered,
        Body body)
      : out_(out),
        threads_(threads),
        results_(results),
        counts_(counts),
        ordered_(ordered),
        waiting_(out, memory),
        body_(std::move(body)) {}

  void loop(const flow::Loop& loop, const text::Origin& origin);

  struct Range {
    c::Expr low, high;
  };

 private:
  static c::Expr iterations_of(const Range& range);
  void iterate(const flow::Loop& loop, const Range& range, const std::optional<flow::Expr>& unless,
               const text::Origin& origin);
  void among(const flow::Loop& loop, const text::Origin& origin);
  /// On threads, where iterations wait for each other.
  void run_ordered(const flow::Loop& loop, const Range& range, const text::Origin& origin);
  /// What is done in the iteration of that number.
  void iteration(const flow::Loop& loop, const std::string& number, const text::Origin& origin, bool waited_for);
  void count_then_fill(const flow::Loop& loop, Range range, const text::Origin& origin);
  /// By rows and entries together.
  void dealt_out(const flow::Loop& loop, const Range& range, const text::Origin& origin);

  Context& out_;
  Threads& threads_;
  Results& results_;
  Counts& counts_;
  OrderedIterations& ordered_;
  WaitingLists waiting_;
  Body body_;
};

/// A bound as something cheap: a variable of the name, where it is not.
c::Expr bound(Context& out, const flow::Expr& e, const std::string& name);
/// The condition of a loop that is left early.
c::Expr going_on(Context& out, const c::Expr& condition, const std::optional<flow::Expr>& unless);

}  // namespace trellis::emit
