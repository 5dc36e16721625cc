#pragma once
// What is known of a kernel before any loop order: its fragments, their dependences, and the graph of both.

#include <memory>
#include <string>
#include <vector>

#include "engine/place/fragment.hpp"

namespace trellis::place {

/// Access-level picture (RECUMA figure 5) and fragment-level truth.
struct GraphNode {
  int id;
  std::string label;  ///< "L(i,k)"
  enum class Kind { input, result, temporary } kind;
  std::vector<int> fragments;  ///< that write or read it, in order
  int component = -1;          ///< -1: in no cycle
  text::Span span;
};
struct GraphEdge {
  int from, to;  ///< node ids: `to` depends on `from`
  int fragment;
  bool exact;  ///< false: syntactic only, no instance of this access ever meets one of the other
};
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::vector<int>> components;  ///< fragment ids, in topological order
};

class Dependences;  // exact relations; isl inside, behind math/

/// Shared by all orders of a kernel. Not thread-safe: isl's context lives inside.
struct Analysis {
  lang::Program program;
  lang::Kernel kernel;
  Fragments fragments;
  Graph graph;
  std::shared_ptr<Dependences> dependences;
  /// The same kernel without values for sizes, where this one has some in it: what is proven of its fragments, which
  /// are the same ones, holds for all.
  std::shared_ptr<const Analysis> for_all_sizes = nullptr;
  /// The tiles that its fragments have, sorted, and the same without them (place/tiles.hpp).
  std::vector<std::string> tiles = {};
  std::shared_ptr<const Analysis> untiled = nullptr;
};

}  // namespace trellis::place
