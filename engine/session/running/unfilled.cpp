#include "engine/session/running/unfilled.hpp"

#include <set>
#include <string>
#include <vector>

namespace trellis::session {
namespace {

/// A fill that somebody chose is data: `tensor ones(n): f64 fill 1`.
bool is_unfilled(const State& state, const lang::TensorInfo& info) {
  const bool declared = info.kind == lang::TensorInfo::Kind::declared && info.derived_from().empty();
  const tensor::Tensor* const held = state.data.held(info.name);
  return declared && !info.fill.is_true() && !state.data.has(info.name) && held && held->count() > 0;
}

/// Of the operands that no command filled; what kernels compute is asked for only where there are any.
std::vector<const lang::TensorInfo*> unfilled(const State& state, const lang::Program& program,
                                              const lang::Kernel& kernel) {
  std::vector<const lang::TensorInfo*> found;
  for (const std::string& name : kernel.operands())
    if (const lang::TensorInfo* info = program.tensor(name); info && is_unfilled(state, *info)) found.push_back(info);
  if (found.empty()) return found;
  std::set<std::string> computed;
  for (const lang::Kernel& one : program.kernels)
    for (const std::string& result : one.results()) computed.insert(result);
  std::erase_if(found, [&](const lang::TensorInfo* info) { return computed.contains(info->name); });
  return found;
}

}  // namespace

bool has_unfilled(State& state, const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  const lang::Program* const program = state.program(ignored);
  return program && !unfilled(state, *program, kernel).empty();
}

void warn_of_unfilled(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  if (!kernel.pattern_of.empty()) return;
  text::Diagnostics ignored;
  const lang::Program* const program = state.program(ignored);
  if (!program) return;
  for (const lang::TensorInfo* info : unfilled(state, *program, kernel)) {
    const std::string& name = info->name;
    if (!state.declarations.first_time("W0604 " + name)) continue;
    text::Diagnostic& d = diagnostics.warning("W0604", info->span,
                                              "nothing has filled " + name + ": kernel " + kernel.name +
                                                  " took it to be all " + format::to_string(info->fill));
    d.notes.push_back({{},
                       "`random " + name + " seed 1`, `fill_with " + name + " …` or `load " + name +
                           " \"FILE\"` before the run fills it"});
  }
}

}  // namespace trellis::session
