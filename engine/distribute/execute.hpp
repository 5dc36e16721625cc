#pragma once
// Runs a plan on its ranks, all in step, one scalar operation at a time, by the interpreter of loops. Each rank has
// arrays of its own; reading an element that is neither its own nor was sent to it since it was last written is an
// error of the plan, which ends the run. It is what other ways to run a plan are compared with.
//
//   const auto ran = run_in_step(plan, *cut(plan, {4}, sizes), {parameters, tensors, functions});   // tensors in place

#include "engine/distribute/cuts.hpp"
#include "engine/loop/interpret.hpp"

namespace trellis::distribute {

struct InStep {
  loop::Execution execution;  ///< of the first rank with a fault; else how the kernel ended
  /// What a rank read that it neither owns nor was sent, or where ranks differ that must not: a mistake of the plan.
  std::string astray;
  std::vector<Sent> sent;  ///< by exchange of the plan
};

/// Results are gathered into the bindings' tensors. `sizes` of the cuts are those of the bindings.
InStep run_in_step(const Plan& plan, const Cuts& cuts, const loop::Bindings& bindings);

}  // namespace trellis::distribute
