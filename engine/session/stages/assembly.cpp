#include "engine/session/stages/assembly.hpp"

#include "engine/run/assembly.hpp"
#include "engine/session/state/compile_failure.hpp"

namespace trellis::session {

std::optional<text::Text> assembly_text(const State& state, const Compilation& compilation,
                                        text::Diagnostics& diagnostics, Exit& exit) {
  const auto made = run::assembly_of(compilation.module, state.options.limits);
  if (const auto* functions = std::get_if<std::vector<run::MachineFunction>>(&made))
    return run::annotated(*functions, compilation.module, run::LinesOfC::above);
  report(std::get<run::CompileError>(made),
         {"E0507", "there is no machine code of " + compilation.kernel.name + " to show"}, compilation.kernel,
         diagnostics, exit);
  return std::nullopt;
}

}  // namespace trellis::session
