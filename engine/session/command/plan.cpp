// plan: the equations of a kernel as queries, and what lazy arrays would make of them. Kernels without an order run
// as engine/session/running/planned.hpp chooses, which compiles and compares it with what was written.
#include "engine/session/command/commands.hpp"
#include "engine/session/stages/plan_picture.hpp"

namespace trellis::session {

CommandResult plan(State& state, Words& words) {
  const bool reasons = words.accept("why");
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const lang::Program* program = kernel ? state.program(words.diagnostics()) : nullptr;
  if (!program) return {};
  auto made = plan_of(state, *program, *kernel);
  if (const auto* refused = std::get_if<lazy::NoQuery>(&made)) {
    words.diagnostics().error("E0645", refused->span,
                              "kernel " + kernel->name + " cannot be planned: " + refused->reason);
    return {};
  }
  PlannedKernel& plan = std::get<PlannedKernel>(made);
  return {PlanShown{kernel->name, reasons, std::move(plan.why), std::move(plan.unfilled)}};
}

}  // namespace trellis::session
