#pragma once
// On what a statement of an illegal order rests besides its own reads: the conditions and `let`s that it stands in.
//
//   let v = V(k,j-1) { if v > best(i,j) { best(i,j) = v; from(i,j) = k } }
//
// Both assignments rest on V(k,j-1) and on best(i,j), and where the condition is false, so does what stands there
// already.
//
//   for t in 0:9 until rs(t) < 1 { x(t+1) = … }
//
// Each iteration but the first rests on rs of those before it, and where it ended the loop, so do the elements that it
// left as they are.

#include "engine/explore/evaluate.hpp"
#include "engine/explore/trace.hpp"

namespace trellis::explore {

class Premises {
 public:
  /// Of a numbered nest, on these sizes and tensors; both outlive it.
  Premises(const loop::Stmt& nest, const loop::Bindings& bindings);

  /// It has others that rest on it as soon as it begins: a `let`, a condition.
  bool is_one(const loop::Stmt& statement) const {
    return parts_.contains(statement.id()) && !statement.as<loop::For>();
  }
  /// A loop: it begins, and nothing rests on how often it ran before.
  void begin_loop(const loop::Moment& moment);
  /// It is evaluated, as the premise of that number, after so many steps. What it reads is not known yet.
  Trace::Premise begin(const loop::Moment& moment, std::size_t steps, std::size_t number);
  /// The same of what may end a loop, after an iteration.
  Trace::Premise until(const loop::Moment& moment, std::size_t steps, std::size_t number);
  /// The premises that hold for that statement, outermost first.
  std::vector<std::size_t> around(int statement) const;

 private:
  struct Part {
    bool decides = false;
    std::vector<loop::Stmt> inside;
  };
  void gather(const loop::Stmt& statement, std::vector<int>& above);
  Names names_at(const loop::Moment& moment) const;
  void add_targets(const loop::Stmt& statement, Names& names, std::vector<Trace::Touch>& targets) const;
  std::optional<Trace::Touch> target_of(const loop::Assign& assign, const Names& names) const;

  const loop::Bindings& bindings_;
  Names sizes_;
  std::map<int, Part> parts_;              // by the number of a let, a condition, or a loop that one may end
  std::map<int, std::vector<int>> above_;  // by statement: those that it stands in
  std::map<int, std::size_t> newest_;      // by the same: its last evaluation
};

}  // namespace trellis::explore
