#pragma once
// Data that brings its own shape: sizes without a value take theirs from it, the others must agree.

#include "engine/session/state.hpp"

namespace trellis::session {

/// Binds the sizes of `info` to `shape`, or reports at `at` what disagrees; `what` names the data ("the file").
/// Nothing is bound when something disagrees.
bool bind_shape(State& state, const lang::TensorInfo& info, const tensor::Index& shape, const std::string& what, text::Span at,
                text::Diagnostics& diagnostics);

/// "3 x 4", or "scalar".
std::string to_string(const tensor::Index& shape);

}  // namespace trellis::session
