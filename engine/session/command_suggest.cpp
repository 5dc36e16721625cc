// suggest.
#include "engine/explore/suggest.hpp"
#include "engine/lang/parse.hpp"
#include "engine/session/commands.hpp"
#include "engine/session/execution.hpp"

namespace trellis::session {
namespace {

// Sizes that have no value yet count as this many.
constexpr std::int64_t usual_size = 1000;

explore::Names sizes_of(const State& state, const lang::Program& program) {
  explore::Names sizes;
  for (const lang::ParameterInfo& p : program.parameters)
    if (!p.real) {
      const auto value = state.parameter(p.name);
      sizes[p.name] = value ? value->as_integer() : usual_size;
    }
  return sizes;
}

/// Exactly what typing the command would do, on a copy of the session.
std::optional<loop::Stmt> loops_with(const State& state, const std::string& kernel, const std::string& command) {
  State trial = state;
  text::Diagnostics problems;
  const int source = trial.sources.add("suggest", command);
  for (const auto& statement : lang::parse(trial.sources, source, problems).statements) trial.add_to_kernel(kernel, statement);
  for (const std::string& scope : {kernel, std::string()}) trial.options.orders.erase(scope);
  const lang::Program* program = problems.has_errors() ? nullptr : trial.program(problems);
  const lang::Kernel* changed = program ? program->kernel(kernel) : nullptr;
  const auto compilation = changed ? trial.compilation(*changed, problems) : nullptr;
  if (!compilation || problems.has_errors()) return std::nullopt;
  return compilation->loops;
}

}  // namespace

CommandResult suggest(State& state, Words& words) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  if (!compilation) return {};
  const lang::Program& program = *state.program(words.diagnostics());
  explore::Kernel present{program, compilation->loops, {}, compilation->analysis.get(), sizes_of(state, program)};
  if (compilation->placed) present.order = compilation->placed->order;
  Suggested suggested{kernel->name, present.order.value_or(lang::Order{}), explore::Machine::present(), {}};
  const std::string target = kernel->name;
  suggested.suggestions = explore::suggest(present, [&](const std::string& command) { return loops_with(state, target, command); }, suggested.machine);
  state.offer = {{}, target};
  for (const explore::Suggestion& s : suggested.suggestions) state.offer.fixes.push_back({s.command, s.reason, 0});
  return {std::move(suggested)};
}

}  // namespace trellis::session
