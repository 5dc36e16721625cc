#pragma once
// One program on every evaluator: reference, loop interpreter, jit and native must leave the same results.

#include <string>

namespace trellis::testing {

/// The results of all kernels of a program, printed; or what disagrees, in words, or the program's errors.
std::string run_on_every_back_end(const std::string& program);

}  // namespace trellis::testing
