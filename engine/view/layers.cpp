#include "engine/view/layers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trellis::view {
namespace {

constexpr double beside = 20, below = 34, tip_length = 7;
constexpr int sweeps = 4;

using Neighbours = std::vector<std::vector<int>>;
using Layers = std::vector<std::vector<int>>;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// An acyclic graph: the diagram's edges without loops, those that close a cycle turned around.
struct Acyclic {
  Neighbours above, below;
  std::vector<int> order;  ///< from sources to sinks
};

/// What a search in depth meets again while it is under way closes a cycle.
Acyclic acyclic(const Diagram& diagram) {
  const std::size_t count = diagram.nodes.size();
  Neighbours next(count);
  for (const Diagram::Edge& edge : diagram.edges)
    if (edge.from != edge.to) next[at(edge.from)].push_back(edge.to);
  enum class Seen { never, under_way, done };
  std::vector<Seen> seen(count, Seen::never);
  Acyclic result{Neighbours(count), Neighbours(count), {}};
  const auto link = [&](int from, int to) {
    result.below[at(from)].push_back(to);
    result.above[at(to)].push_back(from);
  };
  for (std::size_t start = 0; start < count; ++start) {
    if (seen[start] != Seen::never) continue;
    std::vector<std::pair<int, std::size_t>> path{{static_cast<int>(start), 0}};
    seen[start] = Seen::under_way;
    while (!path.empty()) {
      auto& [node, tried] = path.back();
      if (tried == next[at(node)].size()) {
        seen[at(node)] = Seen::done;
        result.order.push_back(node);
        path.pop_back();
        continue;
      }
      const int from = node, to = next[at(from)][tried++];
      if (seen[at(to)] == Seen::under_way) link(to, from);
      else link(from, to);
      if (seen[at(to)] != Seen::never) continue;
      seen[at(to)] = Seen::under_way;
      path.emplace_back(to, 0);
    }
  }
  std::ranges::reverse(result.order);
  return result;
}

Layers layers_of(const Acyclic& graph) {
  std::vector<int> depth(graph.order.size(), 0);
  Layers layers;
  for (const int node : graph.order) {
    for (const int from : graph.above[at(node)]) depth[at(node)] = std::max(depth[at(node)], depth[at(from)] + 1);
    layers.resize(std::max(layers.size(), at(depth[at(node)]) + 1));
    layers[at(depth[at(node)])].push_back(node);
  }
  return layers;
}

/// The mean of what the neighbours have; its own where there are none.
double mean(const std::vector<int>& neighbours, const std::vector<double>& of, double own) {
  if (neighbours.empty()) return own;
  const double sum =
      std::accumulate(neighbours.begin(), neighbours.end(), 0.0, [&](double s, int n) { return s + of[at(n)]; });
  return sum / static_cast<double>(neighbours.size());
}

void sort_by_barycentres(Layers& layers, const Acyclic& graph) {
  std::vector<double> rank(graph.order.size());
  const auto number = [&](const std::vector<int>& layer) {
    for (std::size_t k = 0; k < layer.size(); ++k)
      rank[at(layer[k])] = (static_cast<double>(k) + 0.5) / static_cast<double>(layer.size());
  };
  const auto sort = [&](std::vector<int>& layer, const Neighbours& neighbours) {
    std::vector<std::pair<double, int>> keyed;
    for (const int node : layer) keyed.emplace_back(mean(neighbours[at(node)], rank, rank[at(node)]), node);
    std::ranges::stable_sort(keyed, {}, &std::pair<double, int>::first);
    for (std::size_t k = 0; k < layer.size(); ++k) layer[k] = keyed[k].second;
    number(layer);
  };
  for (const std::vector<int>& layer : layers) number(layer);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::vector<int>& layer : layers) sort(layer, graph.above);
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) sort(*layer, graph.below);
  }
}

/// Centres: near the mean of the neighbours above, and apart. Pushing to the right and pushing to the left meet
/// halfway.
std::vector<double> centres(const Diagram& diagram, const Layers& layers, const Acyclic& graph) {
  std::vector<double> x(diagram.nodes.size(), 0);
  for (const std::vector<int>& layer : layers) {
    const auto distance = [&](std::size_t k) {
      return (diagram.nodes[at(layer[k - 1])].width + diagram.nodes[at(layer[k])].width) / 2 + beside;
    };
    std::vector<double> right;
    for (std::size_t k = 0; k < layer.size(); ++k) {
      const double wish = mean(graph.above[at(layer[k])], x, k == 0 ? 0 : right[k - 1] + distance(k));
      right.push_back(k == 0 ? wish : std::max(wish, right[k - 1] + distance(k)));
    }
    std::vector<double> left(right.size());
    for (std::size_t k = layer.size(); k-- > 0;) {
      const double wish = mean(graph.above[at(layer[k])], x, right[k]);
      left[k] = k + 1 == layer.size() ? wish : std::min(wish, left[k + 1] - distance(k + 1));
    }
    for (std::size_t k = 0; k < layer.size(); ++k) x[at(layer[k])] = (left[k] + right[k]) / 2;
  }
  return x;
}

Layout::Curve straight(Layout::Point from, Layout::Point to) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(1e-9, std::hypot(dx, dy));
  const double part = std::max(0.0, length - tip_length) / length;
  const auto along = [&](double share) { return Layout::Point{from.x + dx * share, from.y + dy * share}; };
  return {{from, along(part / 3), along(part * 2 / 3), along(part)}, to, along(0.5)};
}

/// Out of the box on its right, and back into it.
Layout::Curve loop_at(const Layout::Box& box) {
  const double right = box.x + box.width, y = box.y + box.height / 2, out = right + beside * 0.8, step = box.height / 4;
  return {{{right, y - step}, {out, y - step}, {out, y + step}, {right + tip_length, y + step}},
          {right, y + step},
          {out, y}};
}

}  // namespace

Layout lay_out_in_layers(const Diagram& diagram) {
  const Acyclic graph = acyclic(diagram);
  Layers layers = layers_of(graph);
  sort_by_barycentres(layers, graph);
  const std::vector<double> x = centres(diagram, layers, graph);
  Layout layout;
  layout.nodes.resize(diagram.nodes.size());
  layout.groups.resize(at(diagram.groups));
  double y = 0, least = 0;
  for (const std::vector<int>& layer : layers) {
    double height = 0;
    for (const int node : layer) height = std::max(height, diagram.nodes[at(node)].height);
    for (const int node : layer) {
      const Diagram::Node& box = diagram.nodes[at(node)];
      layout.nodes[at(node)] = {x[at(node)] - box.width / 2, y + (height - box.height) / 2, box.width, box.height};
      least = std::min(least, layout.nodes[at(node)].x);
    }
    y += height + below;
  }
  for (Layout::Box& box : layout.nodes) {
    box.x -= least;
    layout.width = std::max(layout.width, box.x + box.width + beside);
  }
  layout.height = y - below;
  for (const Diagram::Edge& edge : diagram.edges) {
    const Layout::Box &from = layout.nodes[at(edge.from)], &to = layout.nodes[at(edge.to)];
    const bool down = from.y < to.y;
    const Layout::Point start{from.x + from.width / 2, down ? from.y + from.height : from.y};
    const Layout::Point end{to.x + to.width / 2, down ? to.y : to.y + to.height};
    layout.edges.push_back(edge.from == edge.to ? loop_at(from) : straight(start, end));
  }
  return layout;
}

}  // namespace trellis::view
