// Products over semirings and triangles beside GraphBLAS, on graphs of few vertices with many edges, and of long ways.
#include "tests/bench/arrays_bench.hpp"

#include <limits>
#include <random>

namespace trellis::bench {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// True at one of eight places.
tensor::Tensor some(std::int64_t n) {
  std::mt19937_64 random(3);
  tensor::Coordinates places;
  places.shape = {n};
  places.field = tensor::Coordinates::Field::pattern;
  for (std::int64_t i = 0; i < n; ++i)
    if (random() % 8 == 0) places.indices.push_back(i);
  places.count = places.indices.size();
  return packed(places, format::Format::dense(1), format::Value::truth(false));
}

}  // namespace

void beside_graphblas(Rows& rows, const std::string& name, const std::string& program, const run::Bindings& given,
                      const std::optional<Computation>& peer, const std::string& result, double target) {
  const run::Bindings data = with_tensors(program, given);
  rows.push_back(contest(name, {"", native(module_of(program), data)},
                         {"GraphBLAS", measured(peer, result, data.arrays.at(result))}, 9, target));
}

void semiring_products(Rows& rows, const GraphProblem& graph) {
  const tensor::Tensor lengths = lengths_of(graph.edges, "csr", 0);
  const Compressed a = compressed(lengths);
  run::Bindings of_graph;
  of_graph.sizes = {{"n", graph.n}};

  run::Bindings data = of_graph;
  data.arrays["A"] = relation_of(graph.edges);
  data.arrays["x"] = some(graph.n);
  beside_graphblas(rows, "y = any(A && x), " + graph.name,
                   "tensor A(n, n): bool {dense, compressed, pattern}\ntensor x(n): bool\ntensor y(n): bool\n"
                   "y(i) = any(j)(A(i,j) && x(j))\norder i j\n",
                   data, graphblas_reached(a, nullptr, static_cast<const unsigned char*>(data.arrays["x"].data())), "y",
                   1.26);

  data = of_graph;
  data.arrays["A"] = lengths_of(graph.edges, "csr", infinity);
  data.arrays["x"] = random_vector(graph.n, 4);
  beside_graphblas(
      rows, "y = min(A + x), " + graph.name,
      "tensor A(n, n): csr fill inf\ntensor x(n)\ntensor y(n): fill inf\ny(i) = min(j)(A(i,j) + x(j))\norder i j\n",
      data, graphblas_nearest(a, nullptr, static_cast<const double*>(data.arrays["x"].data())), "y", 1.13);

  data = of_graph;
  data.arrays["A"] = lengths;
  beside_graphblas(rows, "C = A A, " + graph.name,
                   "tensor A(n, n): csr\ntensor C(n, n): csr\nC(i,j) = A(i,k) * A(k,j)\norder i k j\n", data,
                   graphblas_matrix_product(a, a), "C", 1.02);
}

void triangle_counts(Rows& rows, const GraphProblem& graph) {
  const tensor::Coordinates lower = lower_by_degree(graph);
  run::Bindings data;
  data.sizes = {{"n", graph.n}};
  data.arrays["L"] = relation_of(lower);
  const tensor::Tensor lengths = lengths_of(lower, "csr", 0);
  const std::string head = "tensor L(n, n): bool {dense, compressed, pattern}\ntensor count: i64\n";
  beside_graphblas(rows, "triangles by dot products, " + graph.name,
                   head + "count = sum(i,j,k)(i64(L(i,j) && L(i,k) && L(j,k)))\norder i j k\n", data,
                   graphblas_triangles(compressed(lengths), By::dot_products), "count", 1);
  beside_graphblas(rows, "triangles by marked rows, " + graph.name,
                   head +
                       "tensor marked(n): bool\nloops { count = 0; for i {\n"
                       "  for k { if L(i,k) { marked(k) = true } }\n"
                       "  for j { if L(i,j) { for k { if L(j,k) { count += i64(marked(k)) } } } }\n"
                       "  for k { if L(i,k) { marked(k) = false } }\n} }\n",
                   data, graphblas_triangles(compressed(lengths), By::rows), "count", 1);
}

Table bench_arrays(const Options& options) {
  Rows rows;
  std::vector<GraphProblem> graphs = {scale_free(static_cast<int>(sized(16, 7)), 8), road(sized(400, 12))};
  for (GraphProblem& real : real_graphs(options, 30'000)) graphs.push_back(std::move(real));
  for (const GraphProblem& graph : graphs) {
    const bool long_ways = graph.edges.count < 4 * static_cast<std::size_t>(graph.n);
    semiring_products(rows, graph);
    triangle_counts(rows, graph);
    graph_searches(rows, graph, long_ways ? 5 : 1);
  }
  return table_of("arrays", std::move(rows));
}

}  // namespace trellis::bench
