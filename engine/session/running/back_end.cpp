#include "engine/session/running/back_end.hpp"

#include <algorithm>

#include "engine/session/figures.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

/// By the estimate, which is of optimised code: the jit takes some ten times as long, the C compiler half a second.
constexpr double long_ms = 40;
/// The jit takes a hundred times as long where a block would be in vector registers.
constexpr double long_ms_of_blocks = 4;
/// A hundred runs in libtcc's code instead of the C compiler's lose what compiling takes.
constexpr double short_ms = 0.5;

bool is_native(const run::Kernel& code, const Compilation& compilation) {
  return code.backend() == run::Backend::native && code.module().source == compilation.module.source;
}

/// Code that has come in becomes the session's.
void take_in(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  for (auto& made : state.caches.beside->take()) {
    if (auto* code = std::get_if<run::Kernel>(&made)) {
      state.caches.machine_code.add(std::move(*code));
      continue;
    }
    const auto& error = std::get<run::CompileError>(made);
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0609";
    note.span = kernel.span;
    note.message = "kernels stay in the jit, as the C compiler beside it failed";
    note.notes.push_back({{}, error.message});
    note.notes.push_back({{}, "`run native` asks it again; results are the same"});
    diagnostics.add(std::move(note));
  }
}

/// Such kernels are scheduled for vector registers, which the jit does not use.
bool holds_blocks(const lang::Schedule& schedule) {
  return std::ranges::any_of(
      schedule.steps, [](const lang::ScheduleStep& step) { return step.kind == lang::ScheduleStep::Kind::registers; });
}

}  // namespace

BackEnd back_end_for(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const run::Backend named = state.options.backend;
  if (!state.options.chooses_backend || named == run::Backend::native) return {named};
  const text::Unseen said_when_it_runs;
  text::Diagnostics ignored;
  const auto compilation = planned(state, kernel, ignored);
  if (!compilation) return {named};
  take_in(state, kernel, diagnostics);
  const auto ready = [&](const run::Kernel& code) { return is_native(code, *compilation); };
  if (state.caches.machine_code.find(ready)) return {run::Backend::native, "compiled beside earlier runs"};
  const double ms = estimated_cycles(state, *compilation, 1) / state.options.machine.per_nanosecond / 1e6;
  if (ms > long_ms_of_blocks && holds_blocks(compilation->kernel.schedule))
    return {run::Backend::native, "made for vector registers"};
  if (ms > long_ms) return {run::Backend::native, "estimated at " + duration(ms)};
  if (ms < short_ms) return {named};
  const bool begins = state.caches.beside->want(compilation->module, state.options.limits.seconds);
  return {named, begins ? "native once it is compiled" : "without a C compiler"};
}

}  // namespace trellis::session
