#include "engine/session/running/density.hpp"

#include <algorithm>

#include "engine/lang/gaps.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {

namespace {

bool format_is_given(const State& state, const std::string& name) {
  const auto gives = [&](const lang::syntax::Statement& statement) {
    const auto* command = statement.as<lang::syntax::Command>();
    return command && command->name.text == "format" && !command->words.empty() && command->words.front().text == name;
  };
  return std::ranges::any_of(state.declarations.file().statements, [&](const lang::syntax::Statement& statement) {
    const auto* kernel = statement.as<lang::syntax::Kernel>();
    return kernel ? std::ranges::any_of(kernel->statements, gives) : gives(statement);
  });
}

/// The bytes of all operands; empty: none has gaps.
std::optional<std::size_t> bytes_beside_gaps(const State& state, const lang::Kernel& kernel,
                                             const lang::Program& program) {
  std::size_t bytes = 0;
  bool gaps = false;
  for (const std::string& name : kernel.operands()) {
    if (state.data.has(name)) bytes += state.data.held(name)->bytes();
    gaps = gaps || lang::has_gaps(program.tensor(name)->format);
  }
  return gaps ? std::optional(bytes) : std::nullopt;
}

}  // namespace

bool mind_density(State& state, const lang::Kernel& kernel, const lang::Program& program, text::Span at,
                  text::Diagnostics& diagnostics) {
  const auto operands = bytes_beside_gaps(state, kernel, program);
  if (!operands) return true;
  for (const std::string& name : kernel.results()) {
    const lang::TensorInfo& info = *program.tensor(name);
    if (info.kind != lang::TensorInfo::Kind::implicit || !info.format.all_dense()) continue;
    const auto shape = state.shape_of(info, at, diagnostics);
    if (!shape) return false;
    const auto bytes = tensor::Tensor::bytes_needed(info.type, *shape).value_or(SIZE_MAX);
    const tensor::Density density = tensor::density_of(bytes, *operands);
    if (density == tensor::Density::fair || format_is_given(state, name)) continue;
    const std::string what = "result " + name + " is dense, " + tensor::shape_text(*shape) + ", " +
                             tensor::human_bytes(bytes) + ", and its operands are " + tensor::human_bytes(*operands);
    const bool refused = density == tensor::Density::far_larger;
    text::Diagnostic& said =
        refused ? diagnostics.error("E0702", info.span, what, "") : diagnostics.warning("W0702", info.span, what, "");
    said.fixes.push_back({"format " + name + " dense", "if that is meant"});
    if (refused) return false;
  }
  return true;
}

}  // namespace trellis::session
