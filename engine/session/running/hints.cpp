#include "engine/session/running/hints.hpp"

#include <algorithm>

#include "engine/session/figures.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

text::Diagnostic remark(const char* code, text::Span span, std::string message) {
  text::Diagnostic d;
  d.severity = text::Severity::note;
  d.code = code;
  d.span = span;
  d.message = std::move(message);
  return d;
}

/// As far as some thousand elements show, which lie a prime number apart.
bool is_nearly_all_fill(const tensor::Tensor& value) {
  constexpr std::int64_t looked_at = 4099;
  constexpr double few = 0.02;
  std::int64_t others = 0;
  for (std::int64_t k = 0; k < looked_at; ++k)
    others += !(value.get_flat(value.count() / looked_at * k) == value.fill());
  return static_cast<double>(others) < few * looked_at;
}

}  // namespace

void hint_at_sparse_results(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                            text::Diagnostics& diagnostics) {
  constexpr std::int64_t large = 1'000'000;  // elements
  if (!kernel.pattern_of.empty() || kernel.loops) return;
  for (const std::string& name : kernel.results()) {
    const lang::TensorInfo* info = compilation.program.tensor(name);
    const tensor::Tensor* value = state.data.held(name);
    if (!info || info->kind != lang::TensorInfo::Kind::implicit || info->shape.size() != 2) continue;
    if (!value || !value->dense() || value->count() < large || !is_nearly_all_fill(*value)) continue;
    const std::string command = "format " + name + " csr";
    const auto trial = tried_with(state, kernel.name, command);
    if (!trial || estimated_cycles(trial->state, *trial->compilation) > estimated_cycles(state, compilation)) continue;
    if (!state.declarations.first_time("N0608 " + name)) continue;
    text::Diagnostic& d =
        diagnostics.add(remark("N0608", info->span,
                               name + " is dense, and nearly all of its " + std::to_string(value->count()) +
                                   " elements are " + format::to_string(value->fill())));
    d.fixes.push_back({command, "stores the others alone", 0});
    state.offer = {d.fixes, kernel.name};
  }
}

void hint_at_native(State& state, const lang::Kernel& kernel, const Compilation& compilation, double run_ms,
                    text::Diagnostics& diagnostics) {
  constexpr double long_run = 500;       // milliseconds: the C compiler takes about as long
  constexpr double compute_bound = 2e7;  // cycles, so that a busy machine is no reason
  if (run_ms < long_run || estimated_cycles(state, compilation, 1) < compute_bound) return;
  if (!state.declarations.first_time("N0609 " + kernel.name)) return;
  diagnostics.add(remark("N0609", kernel.span,
                         "kernel " + kernel.name + " took " + milliseconds(run_ms) +
                             " in the jit, which does not optimise: `run native` has the C compiler do so"));
}

}  // namespace trellis::session
