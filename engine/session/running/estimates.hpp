#pragma once
// What the session estimates kernels with: the sizes and tensors that it holds now, on this machine.

#include "engine/cost/estimate.hpp"
#include "engine/explore/orders.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Sizes that have no value yet count as cost::usual_size.
cost::Data data_of(const State& state, const Compilation& compilation);

/// cost::estimate of what the kernel was compiled to, and its cycles alone.
cost::Estimate estimated(const State& state, const Compilation& compilation);
double estimated_cycles(const State& state, const Compilation& compilation);
/// With so many threads for parallel loops.
double estimated_cycles(const State& state, const Compilation& compilation, int threads);

/// Where all sizes, and what sparse tensors store with them, are so many times as large: what tells orders of growth
/// apart.
double estimated_where_larger(const State& state, const Compilation& compilation, double times);

/// By number of a node of stage loops: the part of the estimate that its own code has, of 1; loops without what is
/// inside.
std::map<int, double> cost_shares(const State& state, const Compilation& compilation);

/// Gives legal orders their estimates over that of the fastest of them. Where the rest of the schedule does not fit an
/// order, it keeps none; so do those after the first `most_estimated`.
void estimate_orders(State& state, const lang::Kernel& kernel, std::vector<explore::Verdict>& orders);

/// Legal orders first, the fastest of them first; what looks equal stays as it was.
void sort_by_estimate(std::vector<explore::Verdict>& orders);

constexpr int most_estimated = 120;

}  // namespace trellis::session
