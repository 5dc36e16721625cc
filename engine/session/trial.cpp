#include "engine/session/trial.hpp"

#include "engine/explore/loop_orders.hpp"
#include "engine/lang/parse.hpp"

namespace trellis::session {

State with_commands(State& state, const std::string& kernel, const std::string& commands, text::Diagnostics& diagnostics) {
  const int source = state.sources.add("schedule", commands);
  State trial = state;
  for (const auto& statement : lang::parse(trial.sources, source, diagnostics).statements) trial.mend(kernel, statement);
  for (const std::string& scope : {kernel, std::string()}) trial.options.orders.erase(scope);
  return trial;
}

std::shared_ptr<const Compilation> compiled_with(State& state, const std::string& kernel, const std::string& commands) {
  text::Diagnostics problems;
  State trial = with_commands(state, kernel, commands, problems);
  const lang::Program* program = problems.has_errors() ? nullptr : trial.program(problems);
  const lang::Kernel* changed = program ? program->kernel(kernel) : nullptr;
  auto compilation = changed ? trial.compilation(*changed, problems) : nullptr;
  return problems.has_errors() ? nullptr : compilation;
}

explore::Names sizes_of(const State& state, const lang::Program& program) {
  constexpr std::int64_t usual_size = 1000;
  explore::Names sizes;
  for (const lang::ParameterInfo& p : program.parameters)
    if (!p.real) {
      const auto value = state.parameter(p.name);
      sizes[p.name] = value ? value->as_integer() : usual_size;
    }
  return sizes;
}

loop::Stmt comparable(const Compilation& compilation) {
  return compilation.kernel.loops ? explore::with_kinds(compilation.loops, compilation.program) : compilation.loops;
}

}  // namespace trellis::session
