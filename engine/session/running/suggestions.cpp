#include "engine/session/running/suggestions.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/plan/workspaces.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/running/thread_seconds.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

/// So long a search may take, of this thread's time: what other programs do makes no other suggestions.
#ifdef __SANITIZE_ADDRESS__
constexpr double slower = 20;  // the same suggestions from a program that watches itself
#else
constexpr double slower = 1;
#endif
constexpr double seconds_of_few = 0.25 * slower, seconds_of_many = 0.85 * slower;
constexpr std::size_t few = 3;  // loops

explore::Attempted as_attempted(const State& state, const Compilation& compilation) {
  constexpr double times = 8;
  const cost::Estimate estimate = estimated(state, compilation);
  return {compilation.loops, estimate.cycles, estimate.parts, estimated_where_larger(state, compilation, times)};
}

/// Exactly what typing the command would do, on a copy of the session.
std::optional<explore::Attempted> attempted(State& state, const std::string& kernel, const std::string& command) {
  const auto trial = tried_with(state, kernel, command);
  if (!trial) return std::nullopt;
  return as_attempted(trial->state, *trial->compilation);
}

std::vector<std::string> ways_to_collect(const Compilation& compilation) {
  std::vector<std::string> commands;
  for (const auto& workspace : plan::workspaces(compilation)) commands.push_back(lang::to_string(workspace));
  return commands;
}

}  // namespace

std::optional<Suggested> suggestions_for(State& state, const lang::Kernel& given, text::Diagnostics& diagnostics) {
  const lang::Kernel kernel = given;  // compiling others may renew the program that holds it
  const auto compilation = state.compilation(kernel, diagnostics);
  const auto orders = compilation ? KernelOrders::of(state, kernel, diagnostics) : std::nullopt;
  if (!orders) return std::nullopt;
  explore::Attempted now = as_attempted(state, *compilation);
  // A step of the schedule is carried out instead of a plan: it has to be faster than that.
  const Plan* plan = plan_for(state, kernel);
  const bool planned = plan && plan->chosen != plan->written;
  if (planned) now.cycles = std::min(now.cycles, plan->cycles);
  const double end = thread_seconds() + (kernel.variables().size() <= few ? seconds_of_few : seconds_of_many);
  const explore::Kernel present{compilation->stored,
                                compilation->kernel,
                                now,
                                orders->present(),
                                orders->judge(),
                                cost::Machine::present().threads,
                                known_sizes(state, compilation->program),
                                explore::RegisterBlock::of(state.options.machine.wide_registers),
                                ways_to_collect(*compilation),
                                [end] { return thread_seconds() > end; }};
  const auto attempt = [&](const std::string& command) { return attempted(state, kernel.name, command); };
  return Suggested{kernel.name, present.order, now.cycles, explore::suggest(present, attempt), planned};
}

void drop_parallel(Suggested& suggested, int threads) {
  if (threads > 1) return;
  std::erase_if(suggested.suggestions,
                [](const explore::Suggestion& one) { return one.command.find("parallel") != std::string::npos; });
}

void take_lines(State& state, const std::string& kernel, const std::string& commands, text::Diagnostics& diagnostics) {
  const int source = state.sources.add("schedule", commands);
  for (const auto& statement : lang::parse(state.sources, source, diagnostics).statements)
    state.declarations.mend(kernel, statement, {}, state.replaces);
  for (const std::string& scope : {kernel, std::string()}) state.options.orders.erase(scope);
}

}  // namespace trellis::session
