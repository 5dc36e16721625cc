#pragma once
// Results to which the iterations of a parallel loop append: first each of them counts how many entries it has, the
// sums of the counts tell where they begin, and then each stores its own from there on. (flow/count_appends.hpp)

#include <set>
#include <string>
#include <vector>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/result.hpp"

namespace trellis::emit {

class Counts {
 public:
  Counts(Context& out, Memory& memory, Results& results) : out_(out), memory_(memory), results_(results) {}

  /// From here to `end` iterations count or fill these on their own.
  void begin(const std::vector<const flow::Tensor*>& tensors);
  void end() { apart_.clear(); }
  bool apart(const flow::Tensor& tensor) const { return apart_.count(tensor.name) > 0; }
  /// Where the entries of an iteration begin.
  c::Expr begin_of(const flow::Tensor& tensor, int level, c::Expr iteration);

  /// Before any iteration counts: that of the number does not, unless it comes by.
  void count_nothing(const flow::Tensor& tensor, c::Expr iteration);
  // An iteration that counts.
  void begin_counting(const flow::Tensor& tensor);
  /// One entry more, at the coordinates that variables have.
  void count(const flow::Tensor& tensor, const std::vector<std::string>& coordinates);
  void end_counting(const flow::Tensor& tensor, c::Expr iteration);

  /// The counts of the iterations become the numbers of their first entries.
  void add_up(const std::string& variable, const flow::Tensor& tensor, const c::Expr& low, const c::Expr& high);

  // An iteration that fills.
  void begin_filling(const flow::Tensor& tensor, const c::Expr& iteration);
  void end_filling(const flow::Tensor& tensor, const c::Expr& iteration);

  /// The kernel ends where there is no room for the entries that are counted.
  void stop_if_too_large(const flow::Tensor& tensor);
  /// Behind the last iteration.
  void finish(const flow::Tensor& tensor, const c::Expr& high);

 private:
  /// How many fibers of the level come before those of the iteration.
  c::Expr fibers_before(const flow::Tensor& tensor, int level, const c::Expr& iteration);
  /// The variable with the coordinate of the last entry.
  std::string last_seen(const flow::Tensor& tensor, int level);

  Context& out_;
  Memory& memory_;
  Results& results_;
  std::set<std::string> apart_;
};

}  // namespace trellis::emit
