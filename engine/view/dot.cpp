#include "engine/view/dot.hpp"

#include <map>
#include <vector>

namespace trellis::view {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

namespace {

std::string quoted(const std::string& text) { return "\"" + escaped(text) + "\""; }

std::string attributes(place::GraphNode::Kind kind) {
  switch (kind) {
    case place::GraphNode::Kind::input: return "shape=box, style=\"filled\", fillcolor=\"#eeeeee\"";
    case place::GraphNode::Kind::result: return "shape=box, style=\"rounded,filled\", fillcolor=\"#cfe8ff\"";
    case place::GraphNode::Kind::temporary: break;
  }
  return "shape=box, style=\"rounded,dashed\"";
}

}  // namespace

std::string to_dot(const place::Graph& graph, const place::Fragments& fragments, const std::string& title) {
  std::string out = "digraph " + quoted(title) + " {\n  label=" + quoted(title) +
                    ";\n  node [fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n";
  std::map<int, std::vector<const place::GraphNode*>> by_component;
  for (const place::GraphNode& node : graph.nodes) by_component[node.component].push_back(&node);
  for (const auto& [component, nodes] : by_component) {
    const std::string indent = component < 0 ? "  " : "    ";
    if (component >= 0)
      out += "  subgraph cluster_" + std::to_string(component) + " {\n    label=\"cycle\";\n    style=dotted;\n";
    for (const place::GraphNode* node : nodes)
      out += indent + "n" + std::to_string(node->id) + " [label=" + quoted(node->label) + ", " +
             attributes(node->kind) + "];\n";
    if (component >= 0) out += "  }\n";
  }
  for (const place::GraphEdge& edge : graph.edges)
    out += "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) +
           " [label=" + quoted(fragments.fragments[static_cast<std::size_t>(edge.fragment)].name) +
           (edge.exact ? "" : ", style=dashed") + "];\n";
  return out + "}\n";
}

}  // namespace trellis::view
