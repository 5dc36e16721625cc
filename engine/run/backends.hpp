#pragma once
// Modules to machine code, by either back end.

#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

/// The compiler of the native back end runs at most `limits.seconds`, as kernels do.
std::variant<Kernel, CompileError> compile(const emit::Module& module, Backend backend, const Limits& limits = {});
/// One compiler process for many kernels (native), which is far cheaper than one each. Results in the modules' order;
/// each carries its share of the compile time.
std::vector<std::variant<Kernel, CompileError>> compile_batch(const std::vector<emit::Module>& modules, Backend backend,
                                                              const Limits& limits = {});

}  // namespace trellis::run
