#pragma once
// The functions of libm that generated code may call, in one table for both back ends.

#include <span>

namespace trellis::run {

struct MathFunction {
  const char* name;           ///< for f64; the one for f32 has an `f` appended
  const void *wide, *narrow;  ///< where they are in this process
  /// Rounded as arithmetic is: a compiler may write its own. The others must be libm's, so that both back ends agree.
  bool exact;
};
std::span<const MathFunction> math_functions();

}  // namespace trellis::run
