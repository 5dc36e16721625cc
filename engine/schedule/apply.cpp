#include "engine/schedule/apply.hpp"

#include <algorithm>

#include "engine/schedule/resolve_marks.hpp"
#include "engine/schedule/step.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::schedule {
namespace {

using lang::ScheduleStep;
using loop::For;
using loop::Stmt;
using Kind = ScheduleStep::Kind;

ScheduleStep reorder_of(const lang::Order& order, text::Span span) {
  ScheduleStep step{Kind::reorder, {}, {}, {}, span, {}};
  for (const lang::LoopName& loop : order) step.loops.push_back(loop.name);
  return step;
}

Step::Remedies remedies_if_read() { return text::Unseen::now() ? Step::Remedies::none : Step::Remedies::tried; }

// Remedies are steps, which turn no loop.
Step::Remedies remedies_for(const lang::Order& order) {
  const bool turned = std::ranges::any_of(order, &lang::LoopName::descending);
  return turned ? Step::Remedies::none : remedies_if_read();
}

}  // namespace

std::variant<Applied, text::Diagnostic> take(const Stmt& loops, const ScheduleStep& step, const lang::Program& program,
                                             math::Solver& solver) {
  return Step(loops, step, program, solver, remedies_if_read()).take();
}

std::variant<Applied, Refusal> try_order(const Stmt& loops, const Nest& nest, const lang::Order& order,
                                         const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, {});
  return Step(loops, nest, step, program, solver, Step::Remedies::none).take(order);
}

std::variant<Applied, text::Diagnostic> take_order(const Stmt& loops, const lang::Order& order, text::Span span,
                                                   const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, span);
  Step taking(loops, step, program, solver, remedies_for(order));
  if (auto absent = taking.find_missing()) return *absent;
  auto taken = taking.take(order);
  if (const auto* refusal = std::get_if<Refusal>(&taken))
    return taking.worded(*refusal, "order " + lang::to_string(order));
  return std::get<Applied>(std::move(taken));
}

text::Diagnostic to_diagnostic(const Refusal& refusal, const Stmt& loops, const lang::Order& order, text::Span span,
                               const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, span);
  return Step(loops, Nest{}, step, program, solver, remedies_for(order))
      .worded(refusal, "order " + lang::to_string(order));
}

std::optional<Stmt> attempt(const Stmt& loops, const ScheduleStep& step, const lang::Program& program,
                            math::Solver& solver) {
  auto taken = Step(loops, step, program, solver, Step::Remedies::none).take();
  auto* applied = std::get_if<Applied>(&taken);
  return applied ? std::optional(applied->after) : std::nullopt;
}

namespace {

/// All steps but those that continue sums, or say where elements are.
bool asks_dependences(Kind kind) {
  return kind != Kind::registers && kind != Kind::pack && kind != Kind::fused && kind != Kind::unroll;
}

/// Is there anything that could run otherwise? Of tensors without elements not even a loop is left.
bool computes(const Stmt& loops) {
  bool found = false;
  loop::for_each(loops, [&](const Stmt& s) { found |= s.as<loop::Assign>() || s.as<loop::Reset>() || s.as<For>(); });
  return found;
}

}  // namespace

std::optional<Scheduled> apply(const Stmt& loops, const std::vector<ScheduleStep>& steps, const lang::Program& program,
                               math::Solver& solver, text::Diagnostics& diagnostics) {
  Scheduled result{loops, {}};
  if (!computes(loops)) return result;
  bool analysed = false;  // do the last step's dependences say all?
  for (const ScheduleStep& step : steps) {
    const Stmt now = result.loops;
    Nest nest;
    if (asks_dependences(step.kind))
      nest = analysed ? Nest{sites(now), result.steps.back().dependences} : analyse(now, program, solver);
    analysed = asks_dependences(step.kind);
    auto taken = Step(now, std::move(nest), step, program, solver, remedies_if_read()).take();
    if (auto* refusal = std::get_if<text::Diagnostic>(&taken)) {
      diagnostics.add(std::move(*refusal));
      return std::nullopt;
    }
    result.steps.push_back(std::move(std::get<Applied>(taken)));
    result.loops = result.steps.back().after;
  }
  return result;
}

std::optional<Scheduled> apply(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                               math::Solver& solver, text::Diagnostics& diagnostics) {
  if (!kernel.loops || !computes(loops)) return apply(loops, kernel.schedule.steps, program, solver, diagnostics);
  const auto settled = resolve_marks(loops, program, solver, diagnostics);
  if (!settled) return std::nullopt;
  if (!kernel.schedule.order) return apply(*settled, kernel.schedule.steps, program, solver, diagnostics);
  auto ordered = take_order(*settled, *kernel.schedule.order, kernel.schedule.order_span, program, solver);
  if (auto* refusal = std::get_if<text::Diagnostic>(&ordered)) {
    diagnostics.add(std::move(*refusal));
    return std::nullopt;
  }
  auto rest = apply(std::get<Applied>(ordered).after, kernel.schedule.steps, program, solver, diagnostics);
  if (rest) rest->steps.insert(rest->steps.begin(), std::move(std::get<Applied>(ordered)));
  return rest;
}

}  // namespace trellis::schedule
