#include "engine/session/running/density.hpp"

#include <algorithm>

#include "engine/lang/gaps.hpp"
#include "engine/lang/given_formats.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {

namespace {

std::set<std::string> given_formats(const State& state) {
  std::vector<const lang::syntax::Command*> commands;
  const auto note = [&](const lang::syntax::Statement& statement) {
    const auto* command = statement.as<lang::syntax::Command>();
    if (command && command->name.text == "format") commands.push_back(command);
  };
  for (const lang::syntax::Statement& statement : state.declarations.file().statements) {
    note(statement);
    if (const auto* kernel = statement.as<lang::syntax::Kernel>()) std::ranges::for_each(kernel->statements, note);
  }
  return lang::given_formats(commands);
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
    if (density == tensor::Density::fair || given_formats(state).contains(name)) continue;
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
