#pragma once
// The schedule's steps, one after the other: each from loops to loops, with a certificate that the new loops run every
// instance once and in an order that no dependence forbids, for all sizes. A step that has none is refused at its
// command.

#include <optional>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/schedule/certificate.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// A step that was taken.
struct Applied {
  lang::ScheduleStep step;
  Certificate certificate;
  loop::Stmt before, after;  ///< numbered
  std::vector<Dependence>
      dependences;  ///< of `after`; none where the step asks for none (registers, pack, fused, unroll)
};

struct Scheduled {
  loop::Stmt loops;
  std::vector<Applied> steps;
};

/// The kernel's steps; of a loop program its `order` too, which is a step like any other there, and the marks that it
/// was written with. Empty when one is refused, which is reported with the dependence and its smallest instance.
std::optional<Scheduled> apply(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                               math::Solver& solver, text::Diagnostics& diagnostics);

/// The steps alone. Those behind a refused one are not tried.
std::optional<Scheduled> apply(const loop::Stmt& loops, const std::vector<lang::ScheduleStep>& steps,
                               const lang::Program& program, math::Solver& solver, text::Diagnostics& diagnostics);

/// One step, or why it cannot be taken.
std::variant<Applied, text::Diagnostic> take(const loop::Stmt& loops, const lang::ScheduleStep& step,
                                             const lang::Program& program, math::Solver& solver);

/// Why a step cannot be taken, before it is put into the words of an error.
struct Refusal {
  std::string code;
  std::string reason;  ///< one line: "would change the result: …", "loop i cannot change places: …"
  std::string note = {};
  std::optional<Violation> violation = {};
  bool unproven = false;  ///< by a mistake of the transformation, which the certificate found
};

/// The loops in this order, in these directions: a reorder of all loops that are named, each of which there is. `nest`
/// is the analysis of the loops. What `orders` asks often.
std::variant<Applied, Refusal> try_order(const loop::Stmt& loops, const Nest& nest, const lang::Order& order,
                                         const lang::Program& program, math::Solver& solver);

/// The same, or the error with remedies that were tried.
std::variant<Applied, text::Diagnostic> take_order(const loop::Stmt& loops, const lang::Order& order, text::Span span,
                                                   const lang::Program& program, math::Solver& solver);

/// The refusal of an order as an error, with remedies that were tried.
text::Diagnostic to_diagnostic(const Refusal& refusal, const loop::Stmt& loops, const lang::Order& order,
                               text::Span span, const lang::Program& program, math::Solver& solver);

/// The loops after a step, without a word about why when there are none.
std::optional<loop::Stmt> attempt(const loop::Stmt& loops, const lang::ScheduleStep& step, const lang::Program& program,
                                  math::Solver& solver);

/// A line for each step: the command, and what was proven for these sizes, such as `for all sizes`
/// (lang::proven_sizes).
std::string to_string(const Applied& applied, const std::string& sizes);

}  // namespace trellis::schedule
