#pragma once
// What it costs to evaluate an expression whose elements are at hand.

#include "engine/cost/machine.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::cost {

/// Cycles, without loads; of a choice both sides, since compilers compute both where they can.
double operation_cycles(const flow::Expr& expr, const flow::Flow& flow);

/// Whether it calls what has no vector instruction.
bool is_scalar_only(const flow::Expr& expr);

}  // namespace trellis::cost
