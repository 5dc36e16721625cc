// suggest.
#include "engine/explore/suggest.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/kernel_orders.hpp"
#include "engine/session/trial.hpp"

namespace trellis::session {
namespace {

/// Exactly what typing the command would do, on a copy of the session.
std::optional<loop::Stmt> loops_with(State& state, const std::string& kernel, const std::string& command) {
  const auto compilation = compiled_with(state, kernel, command);
  return compilation ? std::optional(comparable(*compilation)) : std::nullopt;
}

}  // namespace

CommandResult suggest(State& state, Words& words) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  if (!compilation) return {};
  const lang::Program& program = *state.program(words.diagnostics());
  const auto orders = KernelOrders::of(state, *kernel, words.diagnostics());
  if (!orders) return {};
  const explore::Kernel present{program, comparable(*compilation), orders->present(), orders->judge(), sizes_of(state, program)};
  Suggested suggested{kernel->name, present.order, explore::Machine::present(), {}};
  const std::string target = kernel->name;
  suggested.suggestions = explore::suggest(present, [&](const std::string& command) { return loops_with(state, target, command); }, suggested.machine);
  state.offer = {{}, target};
  for (const explore::Suggestion& s : suggested.suggestions) state.offer.fixes.push_back({s.command, s.reason, 0});
  return {std::move(suggested)};
}

}  // namespace trellis::session
