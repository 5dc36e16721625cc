#pragma once
// What the engine's cost model says of a plan (docs/design/arrays.md#near-ties): its kernels are compiled as far as to
// control flow and estimated as loop orders are, by what is known of their operands.

#include "engine/lazy/plan.hpp"

namespace trellis::lazy {

/// Cycles. Empty where a kernel does not compile, as running it would say.
std::optional<double> compiled_cycles(const Alternative& plan, const Formats& operands, const CountedTables& counted,
                                      Memory memory);

}  // namespace trellis::lazy
