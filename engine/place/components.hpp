#pragma once
// Strongly connected components in topological order; where the order is free, nodes that come first stay first.

#include <functional>
#include <vector>

namespace trellis::place {

/// `edge(a, b)`: a must come before b. Nodes are distinct; each component lists its nodes in their given order.
std::vector<std::vector<int>> components(const std::vector<int>& nodes, const std::function<bool(int, int)>& edge);
/// The same of the nodes 0, 1, …, of which each has a list of those that it must come before.
std::vector<std::vector<int>> components(const std::vector<std::vector<int>>& behind);

}  // namespace trellis::place
