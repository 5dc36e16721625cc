#include "engine/place/components.hpp"

#include <algorithm>
#include <cstddef>
#include <queue>

namespace trellis::place {
namespace {

/// Tarjan's algorithm: the number of its component for each node, by position; components are numbered as they are
/// left.
class Strong {
 public:
  explicit Strong(const std::vector<std::vector<std::size_t>>& edges)
      : edges_(edges), entered_(edges.size(), none), lowest_(edges.size()), component(edges.size(), none) {
    for (std::size_t node = 0; node < edges.size(); ++node)
      if (entered_[node] == none) visit(node);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // With a stack of its own: chains are as long as programs.
  void visit(std::size_t root) {
    struct Step {
      std::size_t node, next = 0;
    };
    std::vector<Step> steps{{enter(root)}};
    while (!steps.empty()) {
      auto& [node, next] = steps.back();
      if (next < edges_[node].size()) {
        const std::size_t to = edges_[node][next++];
        if (entered_[to] == none) steps.push_back({enter(to)});
        else if (component[to] == none) lowest_[node] = std::min(lowest_[node], entered_[to]);
        continue;
      }
      const std::size_t left = node;
      steps.pop_back();
      if (!steps.empty()) lowest_[steps.back().node] = std::min(lowest_[steps.back().node], lowest_[left]);
      if (lowest_[left] == entered_[left]) close(left);
    }
  }

  std::size_t enter(std::size_t node) {
    entered_[node] = lowest_[node] = clock_++;
    open_.push_back(node);
    return node;
  }

  void close(std::size_t node) {
    for (std::size_t member = none; member != node;) {
      member = open_.back();
      open_.pop_back();
      component[member] = count;
    }
    ++count;
  }

  const std::vector<std::vector<std::size_t>>& edges_;
  std::vector<std::size_t> entered_, lowest_, open_;
  std::size_t clock_ = 0;

 public:
  std::vector<std::size_t> component;
  std::size_t count = 0;
};

/// By position of their nodes.
std::vector<std::vector<std::size_t>> in_order(const std::vector<std::vector<std::size_t>>& edges) {
  const Strong strong(edges);
  std::vector<std::vector<std::size_t>> members(strong.count);
  std::vector<int> waits(strong.count, 0);
  for (std::size_t a = 0; a < edges.size(); ++a) {
    members[strong.component[a]].push_back(a);
    for (const std::size_t b : edges[a]) waits[strong.component[b]] += strong.component[a] != strong.component[b];
  }
  // The first in the order of the nodes, of those that wait for nothing.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  const auto add_if_ready = [&](std::size_t c) {
    if (waits[c] == 0) ready.push(members[c].front());
  };
  for (std::size_t c = 0; c < strong.count; ++c) add_if_ready(c);
  std::vector<std::vector<std::size_t>> result;
  while (!ready.empty()) {
    const std::size_t c = strong.component[ready.top()];
    ready.pop();
    result.emplace_back();
    for (const std::size_t a : members[c]) {
      result.back().push_back(a);
      for (const std::size_t b : edges[a])
        if (strong.component[b] != c && --waits[strong.component[b]] == 0) add_if_ready(strong.component[b]);
    }
  }
  return result;
}

}  // namespace

std::vector<std::vector<int>> components(const std::vector<int>& nodes, const std::function<bool(int, int)>& edge) {
  std::vector<std::vector<std::size_t>> edges(nodes.size());
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = 0; b < nodes.size(); ++b)
      if (edge(nodes[a], nodes[b])) edges[a].push_back(b);
  std::vector<std::vector<int>> result;
  for (const std::vector<std::size_t>& members : in_order(edges)) {
    result.emplace_back();
    for (const std::size_t member : members) result.back().push_back(nodes[member]);
  }
  return result;
}

std::vector<std::vector<int>> components(const std::vector<std::vector<int>>& behind) {
  std::vector<std::vector<std::size_t>> edges;
  for (const std::vector<int>& nodes : behind) edges.emplace_back(nodes.begin(), nodes.end());
  std::vector<std::vector<int>> result;
  for (const std::vector<std::size_t>& members : in_order(edges)) result.emplace_back(members.begin(), members.end());
  return result;
}

}  // namespace trellis::place
