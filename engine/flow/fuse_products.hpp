#pragma once
// Products that are added to a sum are not rounded first: `s += a * b` is `s = fma(a, b, s)`, where the schedule says
// `fused`. It stands in the C, so that every back end computes the same bits (docs/design/blocks.md#registers).

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// E0161 where nothing adds a product of floating numbers, or this processor would have to compute fma step by step.
std::optional<Flow> fuse_products(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
