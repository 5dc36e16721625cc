#pragma once
// Data that brings its own shape: sizes without a value take theirs from it, the others must agree.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Some files state their shape; of others only the largest indices are known.
enum class ShapeClaim { exact, at_least };

/// Binds the sizes of `info` to `shape`, or reports at `at` what disagrees; `what` names the data ("the file").
/// Nothing is bound when something disagrees.
bool bind_shape(State& state, const lang::TensorInfo& info, const tensor::Index& shape, ShapeClaim claim,
                const std::string& what, text::Span at, text::Diagnostics& diagnostics);

/// E0606: the sizes that `size` is made of are known, but not its value.
void report_size_overflow(const lang::TensorInfo& info, const math::Affine& size, text::Span at,
                          text::Diagnostics& diagnostics);

}  // namespace trellis::session
