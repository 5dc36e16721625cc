// suggest.
#include <algorithm>

#include "engine/explore/suggest.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

explore::Attempted as_attempted(const State& state, const Compilation& compilation) {
  const cost::Estimate estimate = estimated(state, compilation);
  return {compilation.loops, estimate.cycles, estimate.parts};
}

/// Exactly what typing the command would do, on a copy of the session.
std::optional<explore::Attempted> attempted(State& state, const std::string& kernel, const std::string& command) {
  const auto trial = tried_with(state, kernel, command);
  if (!trial) return std::nullopt;
  return as_attempted(trial->state, *trial->compilation);
}

}  // namespace

CommandResult suggest(State& state, Words& words) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  if (!compilation) return {};
  const auto orders = KernelOrders::of(state, *kernel, words.diagnostics());
  if (!orders) return {};
  explore::Attempted now = as_attempted(state, *compilation);
  // A step of the schedule is carried out instead of a plan: it has to be faster than that.
  const Plan* plan = plan_for(state, *kernel);
  const bool planned = plan && plan->chosen != plan->written;
  if (planned) now.cycles = std::min(now.cycles, plan->cycles);
  const explore::Kernel present{compilation->stored, now, orders->present(), orders->judge(),
                                cost::Machine::present().threads};
  const std::string target = kernel->name;
  const auto attempt = [&](const std::string& command) { return attempted(state, target, command); };
  Suggested suggested{target, present.order, now.cycles, explore::suggest(present, attempt), planned};
  state.offer = {{}, target};
  for (const explore::Suggestion& s : suggested.suggestions) state.offer.fixes.push_back({s.command, s.reason, 0});
  return {std::move(suggested)};
}

}  // namespace trellis::session
