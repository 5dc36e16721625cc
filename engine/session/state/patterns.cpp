#include "engine/session/state/patterns.hpp"

#include <algorithm>
#include <chrono>

#include "engine/format/misfit.hpp"
#include "engine/session/figures.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/entries.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

using tensor::Tensor;

/// All that the elimination reads, or empty, which is reported.
std::optional<std::map<std::string, Tensor>> leaves_of(State& state, const lang::Program& program,
                                                       const symbolic::Elimination& how, text::Span at,
                                                       text::Diagnostics& diagnostics) {
  std::map<std::string, Tensor> leaves;
  for (const symbolic::Term& source : how.sources)
    for (const lang::Access& leaf : source.leaves) {
      const lang::TensorInfo& info = *program.tensor(leaf.tensor);
      const Tensor* base =
          state.tensor(info.entries_of.empty() ? info : *program.tensor(info.entries_of), at, diagnostics);
      auto entries = base ? tensor::entries_of(*base, format::widened(info.format, base->shape())) : std::nullopt;
      if (!entries) return std::nullopt;
      leaves[leaf.tensor] = std::move(*entries);
    }
  return leaves;
}

}  // namespace

std::optional<symbolic::Factor> factor_of(State& state, const lang::Program& program, const symbolic::Elimination& how,
                                          text::Span at, text::Diagnostics& diagnostics) {
  const auto leaves = leaves_of(state, program, how, at, diagnostics);
  if (!leaves) return std::nullopt;
  return symbolic::eliminate(
      how, [&](const std::string& name) -> const Tensor& { return leaves->at(name); },
      [&](const math::Affine& size) { return state.value_of(size).value_or(0); });
}

const lang::Schedule::Mask* mask_with(const lang::Kernel& masked, const std::string& pattern) {
  const auto found = std::ranges::find_if(masked.schedule.masks, [&](const auto& m) { return m.pattern == pattern; });
  return found == masked.schedule.masks.end() ? nullptr : &*found;
}

std::string forecast(const State& state, const lang::Program& program, const std::string& result,
                     const std::string& pattern) {
  const std::int64_t entries = state.data.held(pattern)->entries();
  const auto bytes = static_cast<std::size_t>(entries) * format::size_of(program.tensor(result)->type);
  return counted(entries, "entry", "entries") + ", " + tensor::human_bytes(bytes) + " of values";
}

std::string method(const symbolic::Elimination& how) {
  return how.symmetric ? "by the elimination tree" : "column by column, pruned";
}

namespace {

/// Does the session hold what the kernel found when it ran, and would it find the same now?
bool stands(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  const FinishedRun* finished = state.finished(kernel);
  if (!finished) return false;
  const lang::Program& program = *state.program(diagnostics);
  const auto same = [](const std::map<std::string, Tensor>& then, const std::string& name, const Tensor* now) {
    const auto found = then.find(name);
    return now && found != then.end() && &found->second.storage() == &now->storage();
  };
  for (const std::string& name : kernel.operands())
    if (!contains(kernel.results(), name) &&
        !same(finished->before.tensors, name, state.tensor(*program.tensor(name), at, diagnostics)))
      return false;
  return std::ranges::all_of(
      kernel.results(), [&](const std::string& name) { return same(finished->after, name, state.data.held(name)); });
}

const lang::Kernel* masked_by(const lang::Program& program, const lang::Kernel& pattern) {
  return program.kernel(pattern.pattern_of);
}

}  // namespace

namespace {

/// The pattern that has zeros besides, for supernodes of the kernel; "" where it asks for none.
std::string panels_of(const lang::Program& program, const lang::Kernel& masked, const std::string& pattern) {
  for (const lang::Schedule::Supernodes& one : masked.schedule.supernodes) {
    const lang::TensorInfo* panels = program.tensor(one.panels);
    if (panels && panels->derived_from() == pattern) return one.panels;
  }
  return "";
}

/// How much there is to do: entries for each that the operands have, off the diagonal, and products to add up.
std::string work_of(const symbolic::Factor& factor) {
  const auto given = static_cast<double>(factor.given.items.size());
  char fill[32];
  std::snprintf(fill, sizeof fill, "%.1f", given > 0 ? static_cast<double>(factor.entries()) / given : 1.0);
  return "fill " + std::string(fill) + ", " + counted(factor.products, "product", "products") + " to add up";
}

}  // namespace

std::optional<PatternRun> run_pattern(State& state, const lang::Kernel& kernel, text::Span at,
                                      text::Diagnostics& diagnostics, Exit& exit) {
  if (kernel.pattern_of.empty()) return std::nullopt;
  Ran::Kernel ran{kernel.name,
                  state.options.backend,
                  {},
                  false,
                  0,
                  0,
                  {},
                  kernel.results(),
                  "as before: the same places are stored"};
  if (stands(state, kernel, at, diagnostics)) return PatternRun{ran};
  const auto how = state.elimination(kernel);
  if (diagnostics.has_errors()) return PatternRun{};
  if (!how) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  const lang::Program& program = *state.program(diagnostics);
  auto before = found_by(state, kernel, program, at, diagnostics);
  const auto factor = before ? factor_of(state, program, *how, at, diagnostics) : std::nullopt;
  if (!factor) return PatternRun{};
  FinishedRun finished{kernel.name, std::move(*before), state.data.makers(kernel.results()), {}, {}};
  for (const std::string& name : kernel.results()) {
    const lang::TensorInfo& info = *program.tensor(name);
    auto made = symbolic::pattern_of(*how, *factor, name,
                                     format::widened(info.format, {state.value_of(how->size).value_or(0), 0}));
    if (!made) {
      diagnostics.error("E0503", at, "there is no memory for the pattern " + name, "");
      exit = Exit::kernel_failed;
      return PatternRun{};
    }
    finished.after[name] = *made;
    state.data.put(name, std::move(*made), state.meaning_of(kernel));
  }
  state.finish(kernel, std::move(finished));
  ran.run_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ran.how = method(*how);
  return PatternRun{ran, work_of(*factor)};
}

void tell_of_pattern(State& state, const lang::Kernel& pattern, const std::string& work,
                     text::Diagnostics& diagnostics) {
  const lang::Program& program = *state.program(diagnostics);
  const lang::Kernel* masked = masked_by(program, pattern);
  if (!masked) return;
  for (const std::string& name : pattern.results()) {
    const lang::Schedule::Mask* mask = mask_with(*masked, name);
    if (!mask) mask = mask_with(*masked, panels_of(program, *masked, name));
    if (!mask) continue;
    const std::string said = forecast(state, program, mask->tensor, name);
    if (!state.declarations.first_time("N0207 " + masked->name + " " + mask->tensor + " " + said)) continue;
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0207";
    note.span = mask->span;
    note.message = mask->tensor + " will have " + said + (work.empty() ? "" : "; " + work);
    diagnostics.add(std::move(note));
    const auto bytes = static_cast<std::size_t>(state.data.held(name)->entries()) *
                       format::size_of(program.tensor(mask->tensor)->type);
    if (bytes > state.data_limit())
      diagnostics
          .warning("W0211", mask->span,
                   "there may be no memory for " + mask->tensor + ": its values need " + tensor::human_bytes(bytes) +
                       ", and the limit is " + tensor::human_bytes(state.data_limit()),
                   "")
          .notes.push_back(
              {{}, "another order of rows and columns may leave fewer entries; `--memory SIZE` sets the limit"});
  }
}

}  // namespace trellis::session
