#include "engine/session/unfilled.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

bool is_computed(const lang::Program& program, const std::string& tensor) {
  return std::ranges::any_of(program.kernels, [&](const lang::Kernel& k) { return contains(k.results(), tensor); });
}

/// A fill that somebody chose is data: `tensor ones(n): f64 fill 1`.
bool is_unfilled(const State& state, const lang::Program& program, const lang::TensorInfo& info) {
  const bool declared = info.kind == lang::TensorInfo::Kind::declared && info.entries_of.empty();
  const tensor::Tensor* const held = state.held(info.name);
  return declared && !info.fill.is_true() && !state.has(info.name) && held && held->count() > 0 &&
         !is_computed(program, info.name);
}

}  // namespace

void warn_of_unfilled(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  if (!kernel.pattern_of.empty()) return;
  text::Diagnostics ignored;
  const lang::Program* const program = state.program(ignored);
  for (const std::string& name : kernel.operands()) {
    const lang::TensorInfo* const info = program ? program->tensor(name) : nullptr;
    if (!info || !is_unfilled(state, *program, *info) || !state.first_time("W0604 " + name)) continue;
    text::Diagnostic& d = diagnostics.warning("W0604", info->span, "nothing has filled " + name + ": kernel " + kernel.name +
                                                                       " took it to be all " + format::to_string(info->fill));
    d.notes.push_back({{}, "`random " + name + " seed 1`, `fill_with " + name + " …` or `load " + name +
                               " \"FILE\"` before the run fills it"});
  }
}

}  // namespace trellis::session
