#pragma once
// One program on every evaluator: reference, loop interpreter, jit and native must leave the same results.

#include <string>

namespace trellis::testing {

struct Agreement {
  std::string results;  ///< of all kernels, printed
  std::string problem;  ///< what disagrees, or could not be compared, in words; empty when all of them agree
};
enum class Native { compiled, left_out };
Agreement agreement(const std::string& program, Native native = Native::compiled);

/// The results of all kernels of a program, printed; or what disagrees, in words, or the program's errors.
std::string run_on_every_back_end(const std::string& program);

}  // namespace trellis::testing
