#pragma once
// From the control flow that lowering gives to the one that is emitted: each pass is a file of this folder, its line in
// the table of passes.cpp, and is verified after in builds with assertions. Whatever they do, results stay as they are.

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// Numbered. Empty when the kernel's schedule asks for what cannot be: E0149 (jam), E0912 (march), E0147 (parallel).
std::optional<Flow> apply_passes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
