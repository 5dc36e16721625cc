#include "engine/session/running/trial.hpp"

#include "engine/cost/data.hpp"
#include "engine/lang/parse.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {

State with_commands(State& state, const std::string& kernel, const std::string& commands,
                    text::Diagnostics& diagnostics) {
  const int source = state.declarations.written(state.sources, "schedule", commands);
  State trial = state;
  for (const auto& statement : lang::parse(trial.sources, source, diagnostics).statements)
    trial.declarations.mend(kernel, statement, {}, trial.replaces);
  for (const std::string& scope : {kernel, std::string()}) trial.options.orders.erase(scope);
  return trial;
}

std::optional<Trial> tried_with(State& state, const std::string& kernel, const std::string& commands) {
  const text::Unseen nobody_reads_why;
  text::Diagnostics problems;
  Trial trial{with_commands(state, kernel, commands, problems), nullptr};
  const lang::Program* program = problems.has_errors() ? nullptr : trial.state.program(problems);
  const lang::Kernel* changed = program ? program->kernel(kernel) : nullptr;
  if (changed) trial.compilation = trial.state.compilation(*changed, problems);
  if (!trial.compilation || problems.has_errors()) return std::nullopt;
  return trial;
}

explore::Names sizes_of(const State& state, const lang::Program& program) {
  explore::Names sizes = known_sizes(state, program);
  for (const lang::ParameterInfo& p : program.parameters)
    if (!p.real) sizes.try_emplace(p.name, static_cast<std::int64_t>(cost::usual_size));
  return sizes;
}

explore::Names known_sizes(const State& state, const lang::Program& program) {
  explore::Names sizes;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = p.real ? std::nullopt : state.parameter(p.name)) sizes[p.name] = value->as_integer();
  return sizes;
}

}  // namespace trellis::session
