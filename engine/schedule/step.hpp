#pragma once
// One schedule command on its way: loops that the command asks for, what is proven of them, or why it is refused.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/schedule/apply.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

class Step {
 public:
  using Result = std::variant<Applied, text::Diagnostic>;
  enum class Remedies { none, tried };
  Step(const loop::Stmt& loops, const lang::ScheduleStep& step, const lang::Program& program, math::Solver& solver,
       Remedies remedies)
      : Step(loops, analyse(loops, program, solver), step, program, solver, remedies) {}
  Step(const loop::Stmt& loops, Nest nest, const lang::ScheduleStep& step, const lang::Program& program,
       math::Solver& solver, Remedies remedies)
      : loops_(loops), step_(step), program_(program), solver_(solver), remedies_(remedies), nest_(std::move(nest)) {}

  Result take();
  /// E0106 where the command names a loop that is not there.
  std::optional<text::Diagnostic> find_missing();
  /// The reorder that the step is, then loops turned to run in these directions.
  std::variant<Applied, Refusal> take(const lang::Order& order);
  /// The refusal as an error, with remedies that were tried.
  text::Diagnostic worded(const Refusal& refusal, const std::string& command);

 private:
  /// Where rows roll, what `wavefront` would do: the tensor holds their steps.
  void note_fronts(text::Diagnostic& d, const std::string& tensor) const;
  text::Diagnostic missing(const std::string& loop);
  std::variant<Applied, Refusal> certified(const Transformed& transformed);
  /// The operand whose entries have been dealt out by a loop that the step is about.
  std::optional<std::string> dealt_before() const;
  text::Diagnostic behind_dealt(const std::string& tensor);
  // What iterations wait for is named by loops as they are.
  text::Diagnostic behind_threads();
  // In two steps, of which each is certified: the loops once for each branch of the layout, then those over its levels.
  Result lead_by_tensor();
  /// A loop that an earlier step runs in parallel, in vectors, or several iterations of at once: new loops would not.
  std::optional<std::string> marked_loop() const;
  /// The number that a statement of loops made of these has here: of the one that comes from the same place.
  int number_before(const loop::Stmt& made, int number) const;
  // The order of iterations is free when no dependence is carried; updates can be combined. Else they may wait for each
  // other.
  Result parallel();
  // First the loops in one piece, which is certified; then each must be free to run in any order, or to add up.
  Result deal_out();
  Result vectorize();
  Result jam();
  // Sums are continued; what is done apart has nothing to do with them.
  Result registers();
  // Nothing moves: each run says itself whether its values fit.
  Result narrowed();
  std::optional<text::Diagnostic> narrowed_before();
  text::Diagnostic forbidden(const char* code, const char* why, const Dependence& dependence);
  bool ends_early(const std::string& variable) const;
  // Updates can be combined between threads, a choice by comparison such as argmin's cannot.
  std::optional<std::string> chosen_by(const std::string& variable) const;
  // Of what loops over a variable reduce, this one's part.
  static std::vector<std::string> reduced_by(const loop::For& f, std::vector<std::string> tensors);
  bool floating_sum(const std::string& tensor, const std::string& variable) const;
  Certificate checked() const;
  Applied done(const loop::Stmt& after, const Certificate& certificate, std::vector<Dependence> dependences) const;

  const loop::Stmt& loops_;
  const lang::ScheduleStep& step_;
  const lang::Program& program_;
  math::Solver& solver_;
  Remedies remedies_;
  Nest nest_;
};

}  // namespace trellis::schedule
