#pragma once
// Control flow to C: one readable C99 function per kernel, and the adapter that module.hpp describes. Total: whatever
// `flow::verify` accepts is emitted.
//
//   loop i in 0:n                         for (int64_t i = 0; i < n; i++) {
//     y[i] += A[i][j] * x[j]       →        y[i] += A[i * m + j] * x[j];
//                                         }
//
// Sizes, loop variables and offsets are int64_t: they are i64 in the language, and 64-bit addresses need no casts.
// Coiterations are in coiterate.hpp, what passes marked of them in ahead.hpp and arms.hpp.
//
// Array temporaries are allocated once, at the top; those of a parallel iteration belong to its thread. In a parallel
// loop a scalar that it `reduces` gets a reduction clause; elements of arrays are updated atomically (sum, prod, any,
// all) or in a critical section (min, max).

#include <string>
#include <vector>

#include "engine/emit/growth.hpp"
#include "engine/emit/interruptible.hpp"
#include "engine/emit/module.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::emit {

/// `flow` must be numbered. `tensor_helpers` are those of prelude/tensors.c that what is put behind the kernel needs.
Module emit(const flow::Flow& flow, Growth growth = Growth::none, const std::vector<std::string>& tensor_helpers = {},
            Interruption interruption = Interruption::none);

}  // namespace trellis::emit
