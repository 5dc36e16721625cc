#pragma once
// Executions, recorded.

#include <optional>

#include "engine/session/replay/recorded.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Statements of an execution that are kept.
constexpr std::size_t most_recorded = 20'000;

/// Sizes, and the tensors that a kernel finds: as they were when it last ran; else as they are in memory, results made
/// of fills. Empty is reported: a size without a value, a tensor of more than `most_elements`.
std::optional<loop::Bindings> found_by(State& state, const lang::Program& program, const lang::Kernel& kernel,
                                       std::int64_t most_elements, text::Span at, text::Diagnostics& diagnostics);

/// The kernel's own order, or another one, legal or not. What has no elements yet is made of fills. Empty is reported:
/// a size without a value, a tensor of more than 4096 elements, an order that names too few loops. Kernels over sparse
/// tensors replay the control flow that was compiled, others and illegal orders loops. Longer executions are cut off
/// after `most` statements.
std::optional<Recorded> record(State& state, const lang::Kernel& kernel, std::size_t most, text::Span at,
                               text::Diagnostics& diagnostics, const std::optional<lang::Order>& order = {});

}  // namespace trellis::session
