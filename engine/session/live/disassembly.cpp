#include "engine/session/live/disassembly.hpp"

#include "engine/run/assembly.hpp"

namespace trellis::session {

Listing listing_of(const std::shared_ptr<const CompiledView>& kernel, const text::Cancel& cancel) {
  const emit::Module& module = kernel->compilation.module;
  run::Limits limits;
  limits.cancel = cancel;
  const auto made = run::assembly_of(module, limits);
  if (const auto* error = std::get_if<run::CompileError>(&made)) return {{}, error->message};
  return {run::annotated(std::get<std::vector<run::MachineFunction>>(made), module, run::LinesOfC::apart), ""};
}

}  // namespace trellis::session
