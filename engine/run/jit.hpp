#pragma once
// The fast back end: libtcc compiles a module in memory, in well under a millisecond.
// Warnings are errors there, since an undeclared function is only a warning to libtcc and then silently wrong.

#include <variant>

#include "engine/run/kernel.hpp"

namespace trellis::run {

std::variant<Kernel, CompileError> compile_jit(const emit::Module& module);

}  // namespace trellis::run
