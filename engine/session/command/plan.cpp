// plan: what a kernel runs as and what else was looked at, as engine/session/running/planned.hpp chooses; and its
// equations as queries, with what lazy arrays would make of them.
#include "engine/session/command/commands.hpp"
#include "engine/session/running/plan_choice.hpp"
#include "engine/session/stages/plan_picture.hpp"

namespace trellis::session {

CommandResult plan(State& state, Words& words) {
  const bool reasons = words.accept("why");
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const lang::Program* program = kernel ? state.program(words.diagnostics()) : nullptr;
  if (!program) return {};
  PlanShown shown{kernel->name, reasons, plan_choice(state, *kernel, reasons), {}, "", {}};
  auto made = plan_of(state, *program, *kernel);
  if (const auto* refused = std::get_if<lazy::NoQuery>(&made)) {
    shown.no_query = refused->reason;
  } else {
    PlannedKernel& plan = std::get<PlannedKernel>(made);
    shown.why = std::move(plan.why);
    shown.unfilled = std::move(plan.unfilled);
  }
  return {std::move(shown)};
}

}  // namespace trellis::session
