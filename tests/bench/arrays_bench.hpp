#pragma once
// The parts of `trellis bench arrays`. Each adds its rows for one graph; an empty one stands for a peer that this
// machine lacks.

#include "tests/bench/graph_problem.hpp"

namespace trellis::bench {

/// A matrix times a vector over Booleans and (min, +), a matrix times a matrix.
void semiring_products(Rows& rows, const GraphProblem& graph);
void triangle_counts(Rows& rows, const GraphProblem& graph);
/// Breadth-first search that pushes or pulls; shortest paths by rounds over what changed, and by steps of delta.
/// `target`: of the ratios.
void graph_searches(Rows& rows, const GraphProblem& graph, double target);

/// The program on this data beside a peer that computes `result`; what else it declares begins with its fill.
void beside_graphblas(Rows& rows, const std::string& name, const std::string& program, const run::Bindings& given,
                      const std::optional<Computation>& peer, const std::string& result, double target);

}  // namespace trellis::bench
