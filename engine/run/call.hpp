#pragma once
// A kernel called in this process, through the interface that programs in C call it by (emit/entry.hpp): no child, no
// copy of what it overwrites, no limits. A fault leaves results without worth.

#include "engine/emit/entry.hpp"
#include "engine/run/kernel.hpp"

namespace trellis::run {

/// `kernel` is compiled from `callable.module`. `bindings` has all tensors, sizes and parameters that it names:
/// operands are read where they are, results that entries are appended to come from Tensor::with_some_room, grow as
/// they need, and are to be published. With nothing bound of a name, or a tensor that the kernel's contract does not
/// allow, the outcome says what is wrong.
Outcome call(const Kernel& kernel, const emit::Callable& callable, const Bindings& bindings, int threads = 1);

}  // namespace trellis::run
