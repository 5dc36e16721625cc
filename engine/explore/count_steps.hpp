#pragma once
// How much a kernel does on its data, counted and not measured: its control flow executed step by step.
//
//   y(i) = A(i,j) * x(j), 3 rows, 5 entries of A      5 multiplications and 5 additions: 10 operations

#include "engine/flow/interpret.hpp"

namespace trellis::explore {

struct StepCount {
  std::int64_t steps = 0;            ///< flow::Execution::steps: what the time is proportional to
  std::int64_t operations = 0;       ///< additions, multiplications, divisions and calls of floating values, each 1
  std::optional<flow::Fault> fault;  ///< it ended there
};

/// The bindings' results are changed, as by a run.
StepCount count_steps(const flow::Flow& flow, const flow::Bindings& bindings);

}  // namespace trellis::explore
