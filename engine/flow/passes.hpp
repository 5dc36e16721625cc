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

/// What a pass is called, and why there is one, in a line.
struct PassName {
  std::string name, reason;
};
/// In the order in which they run.
const std::vector<PassName>& pass_names();

/// One alone; empty also where there is no pass of this name.
std::optional<Flow> apply_pass(const std::string& name, const Flow& flow, const lang::Kernel& kernel,
                               text::Diagnostics& diagnostics);

/// The flow after each of them, run again: nobody keeps these. As many as there are, or fewer where one refuses.
std::vector<Flow> after_each_pass(const Flow& flow, const lang::Kernel& kernel);

}  // namespace trellis::flow
