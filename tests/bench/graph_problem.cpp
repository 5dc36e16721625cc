#include "tests/bench/graph_problem.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace trellis::bench {
namespace {

using format::ScalarType;
using Edge = std::pair<std::int64_t, std::int64_t>;

std::vector<std::int64_t> degrees(const tensor::Coordinates& edges) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(edges.shape[0]), 0);
  for (std::size_t e = 0; e < edges.count; ++e) ++all[static_cast<std::size_t>(edges.indices[2 * e])];
  return all;
}

/// Both ways, each once, with lengths that depend on the two vertices alone.
GraphProblem undirected(const std::string& name, std::int64_t n, std::vector<Edge> edges) {
  for (std::size_t e = 0, count = edges.size(); e < count; ++e) edges.emplace_back(edges[e].second, edges[e].first);
  std::erase_if(edges, [](const Edge& e) { return e.first == e.second; });
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());
  GraphProblem graph;
  graph.n = n;
  graph.edges.shape = {n, n};
  for (const auto& [u, v] : edges) {
    graph.edges.indices.insert(graph.edges.indices.end(), {u, v});
    std::minstd_rand random(static_cast<unsigned>(std::min(u, v) * 31 + std::max(u, v)));
    random.discard(3);  // neighbouring seeds begin alike
    graph.edges.reals.push_back(static_cast<double>(1 + random() % 255));
  }
  graph.edges.count = graph.edges.reals.size();
  const std::vector<std::int64_t> all = degrees(graph.edges);
  graph.source = std::ranges::max_element(all) - all.begin();
  graph.name = name + ", " + std::to_string(n) + " vertices, " + std::to_string(graph.edges.count / 2) + " edges";
  return graph;
}

}  // namespace

GraphProblem scale_free(int scale, std::int64_t per_vertex) {
  std::mt19937_64 random(1);
  const std::int64_t n = std::int64_t{1} << scale;
  std::vector<Edge> edges(static_cast<std::size_t>(n * per_vertex));
  for (auto& [u, v] : edges)
    for (int bit = 0; bit < scale; ++bit) {
      const std::uint64_t draw = random() % 100;
      u = 2 * u + (draw >= 76);
      v = 2 * v + ((draw >= 57 && draw < 76) || draw >= 95);
    }
  return undirected("scale-free", n, std::move(edges));
}

GraphProblem road(std::int64_t side) {
  std::mt19937_64 random(2);
  std::vector<Edge> edges;
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x) {
      const std::int64_t u = y * side + x;
      if (x + 1 < side && random() % 5 != 0) edges.emplace_back(u, u + 1);
      if (y + 1 < side && random() % 5 != 0) edges.emplace_back(u, u + side);
    }
  return undirected("road", side * side, std::move(edges));
}

std::vector<GraphProblem> real_graphs(const Options& options, std::int64_t least) {
  std::vector<GraphProblem> all;
  for (const auto& [name, entries] : real_matrices(options, {"graph"})) {
    if (entries.shape[0] < least) continue;
    std::vector<Edge> edges;
    for (std::size_t e = 0; e < entries.count; ++e)
      edges.emplace_back(entries.indices[2 * e], entries.indices[2 * e + 1]);
    all.push_back(undirected(name, entries.shape[0], std::move(edges)));
  }
  return all;
}

tensor::Coordinates lower_by_degree(const GraphProblem& graph) {
  const std::vector<std::int64_t> all = degrees(graph.edges);
  std::vector<std::int64_t> order(all.size()), number(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::less(), [&](std::int64_t v) { return all[static_cast<std::size_t>(v)]; });
  for (std::size_t k = 0; k < order.size(); ++k)
    number[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
  tensor::Coordinates lower;
  lower.shape = graph.edges.shape;
  for (std::size_t e = 0; e < graph.edges.count; ++e) {
    const std::int64_t u = number[static_cast<std::size_t>(graph.edges.indices[2 * e])];
    const std::int64_t v = number[static_cast<std::size_t>(graph.edges.indices[2 * e + 1])];
    if (v >= u) continue;
    lower.indices.insert(lower.indices.end(), {u, v});
    lower.reals.push_back(graph.edges.reals[e]);
  }
  lower.count = lower.reals.size();
  return lower;
}

tensor::Tensor lengths_of(const tensor::Coordinates& edges, const std::string& format, double fill) {
  return packed(edges, format_of(format, 2), format::Value::of(ScalarType::f64, fill));
}

tensor::Tensor relation_of(const tensor::Coordinates& edges) {
  tensor::Coordinates pattern = edges;
  pattern.reals.clear();
  pattern.field = tensor::Coordinates::Field::pattern;
  return packed(pattern, format_of("bool {dense, compressed, pattern}", 2), format::Value::truth(false));
}

}  // namespace trellis::bench
