#pragma once
// Undirected graphs for the benchmarks of searches and products: generated ones of two kinds, and real ones.

#include <string>
#include <vector>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

/// Each edge is stored both ways, with one length for both: a whole number from 1 to 255. No loops.
struct GraphProblem {
  std::string name;                ///< "scale-free, 131072 vertices, 1800000 edges"
  std::int64_t n = 0, source = 0;  ///< the source is a vertex of most edges
  tensor::Coordinates edges;
};

/// R-MAT with the parameters of Graph500 (0.57, 0.19, 0.19, 0.05): 2^scale vertices, few of which have most edges.
GraphProblem scale_free(int scale, std::int64_t per_vertex);
/// A square grid in which a fifth of the edges is missing: as many edges at each vertex, and long ways.
GraphProblem road(std::int64_t side);
/// Those in the folder `graph` of real data that have at least so many vertices.
std::vector<GraphProblem> real_graphs(const Options& options, std::int64_t least);

/// Of each edge only that to the vertex of more edges; of two with as many, to the later one. Vertices are numbered by
/// how many edges they have, so that rows of the lower triangle are short.
tensor::Coordinates lower_by_degree(const GraphProblem& graph);

/// The lengths as a matrix, or where an edge is.
tensor::Tensor lengths_of(const tensor::Coordinates& edges, const std::string& format, double fill);
tensor::Tensor relation_of(const tensor::Coordinates& edges);

}  // namespace trellis::bench
