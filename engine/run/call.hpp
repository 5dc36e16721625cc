#pragma once
// A kernel called in this process, through the interface that programs in C call it by (emit/entry.hpp): no child, no
// copy of what it overwrites, no limits. A fault leaves results without worth.

#include <limits>
#include <span>

#include "engine/emit/abi/trellis_tensor.h"
#include "engine/emit/entry.hpp"
#include "engine/run/kernel.hpp"

namespace trellis::run {

/// What a kernel is entered with, by place, as the Callable numbers them.
struct Passed {
  std::span<trellis_tensor* const> tensors;
  std::span<const std::int64_t> sizes;
  std::span<const double> reals;
};

/// Of a kernel that was compiled from a Callable's module: loads its code where that has not been done. Null: it cannot
/// be loaded.
trellis_kernel entry_of(const Kernel& kernel);

/// The one place where kernels of this process are entered. `threads`: of OpenMP; 0: its code has no use for any.
/// `error`: zero before, unless a kernel that can be interrupted is asked to end already; it may be asked meanwhile.
Outcome enter(trellis_kernel kernel, const Passed& passed, int threads, trellis_error& error);

/// `kernel` is compiled from `callable.module`. `bindings` has all tensors, sizes and parameters that it names:
/// operands are read where they are, results that entries are appended to come from Tensor::with_some_room or
/// with_room, grow as they need, until one of their arrays has `most_bytes`, and are to be published. With nothing
/// bound of a name, or a tensor that the kernel's contract does not allow, the outcome says what is wrong.
Outcome call(const Kernel& kernel, const emit::Callable& callable, const Bindings& bindings, int threads = 1,
             std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace trellis::run
