#include "engine/place/components.hpp"

#include <cstddef>

namespace trellis::place {
namespace {

/// Transitive closure; components have a handful of nodes, so that Warshall's algorithm is the plain choice.
std::vector<std::vector<char>> reachable(const std::vector<int>& nodes, const std::function<bool(int, int)>& edge) {
  const std::size_t n = nodes.size();
  std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) reach[a][b] = edge(nodes[a], nodes[b]);
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      if (reach[a][via])
        for (std::size_t b = 0; b < n; ++b) reach[a][b] |= reach[via][b];
  return reach;
}

}  // namespace

std::vector<std::vector<int>> components(const std::vector<int>& nodes, const std::function<bool(int, int)>& edge) {
  const auto reach = reachable(nodes, edge);
  const std::size_t n = nodes.size();
  std::vector<char> done(n, 0);
  std::vector<std::vector<int>> result;
  auto together = [&](std::size_t a, std::size_t b) { return a == b || (reach[a][b] && reach[b][a]); };
  auto is_ready = [&](std::size_t node) {
    for (std::size_t before = 0; before < n; ++before)
      if (!done[before] && reach[before][node] && !together(before, node)) return false;
    return true;
  };
  for (std::size_t first = 0; first < n;) {
    if (done[first] || !is_ready(first)) {
      ++first;
      continue;
    }
    std::vector<int> component;
    for (std::size_t b = 0; b < n; ++b) {
      if (!together(first, b)) continue;
      component.push_back(nodes[b]);
      done[b] = 1;
    }
    result.push_back(std::move(component));
    first = 0;
  }
  return result;
}

}  // namespace trellis::place
