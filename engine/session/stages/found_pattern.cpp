#include "engine/session/stages/found_pattern.hpp"

#include <algorithm>

#include "engine/session/state/patterns.hpp"

namespace trellis::session {
namespace {

constexpr std::int64_t most_rows = 20'000;

const lang::Kernel* finder_of(const lang::Program& program, const lang::Kernel& kernel) {
  if (!kernel.pattern_of.empty()) return &kernel;
  const auto found = std::ranges::find(program.kernels, kernel.name, &lang::Kernel::pattern_of);
  return found == program.kernels.end() ? nullptr : &*found;
}

}  // namespace

std::optional<FoundPattern> found_pattern(State& state, const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  const lang::Kernel* pattern = program ? finder_of(*program, kernel) : nullptr;
  if (!pattern) return std::nullopt;
  FoundPattern found{state.elimination(*pattern), *pattern, {}};
  if (!found.how || state.value_of(found.how->size).value_or(most_rows + 1) > most_rows) return std::nullopt;
  for (const symbolic::Term& source : found.how->sources)
    for (const lang::Access& leaf : source.leaves) {
      const std::string base = state.base_of(leaf.tensor);
      const std::string& name = base.empty() ? leaf.tensor : base;
      const tensor::Tensor* held = state.data.has(name) ? state.data.held(name) : nullptr;
      if (!held) return std::nullopt;
      found.data.push_back(&held->storage());
    }
  return found;
}

std::optional<MaskPicture> picture_of(State& state, const FoundPattern& found, view::FontSize font) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  const auto factor = program ? factor_of(state, *program, *found.how, found.pattern.span, ignored) : std::nullopt;
  if (!factor) return std::nullopt;
  return mask_picture(*found.how, *factor, font);
}

}  // namespace trellis::session
