#pragma once
// Kernels that can be asked to end, for callers in whose process they run: whoever holds the kernel's `fault`
// (module.hpp) writes `asked_to_end` into its first element, and loops see it. Through the interface for tensors that
// is the status of the caller's trellis_error (abi/trellis_tensor.h).
//
//   for (int64_t i = 0; i < n; i++) {       for (int64_t i = 0; i < n; i++) {
//     for (…) {                               if (*(const volatile int32_t *)fault == 13) goto leave;
//       for (…) …                             for (…) { … }
//     }                                     }
//   }                                       leave:;
//   free(w);                                free(w);
//
// Looked at are the two outermost of loops that have loops in them, and the outermost one. Inner loops stay as they
// are, and so do loops that a compiler may want to turn inside out: those with at most one loop within go in blocks,
// with one look at each block. On threads nobody can leave: iterations that are left over do nothing, but for those
// that others wait for, which are looked at behind them.

#include <cstdint>

#include "engine/emit/abi/trellis_tensor.h"
#include "engine/emit/c.hpp"

namespace trellis::emit {

/// No FaultKind.
inline constexpr std::int32_t asked_to_end = TRELLIS_INTERRUPTED;

enum class Interruption { none, looked_for };

namespace c {

/// The body of a kernel that has `fault` among its parameters. What it allocated when it is asked to end is freed; what
/// it computed until then is worth nothing.
Stmt interruptible(const Stmt& body);

}  // namespace c

}  // namespace trellis::emit
