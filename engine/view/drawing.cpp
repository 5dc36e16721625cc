#include "engine/view/drawing.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "engine/view/layout.hpp"

namespace trellis::view {
namespace {

constexpr double padding = 9;

/// Code points.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string clipped(const std::string& text, std::size_t most) {
  if (length(text) <= most) return text;
  std::string out;
  std::size_t count = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++count == most) break;
    out += c;
  }
  return out + "…";
}

/// A diagram with the texts that belong in it.
struct Labelled {
  Diagram diagram;
  std::vector<int> ids;
  std::vector<std::vector<std::string>> lines;  ///< of each node
  std::vector<std::string> edge_labels;
  std::vector<std::string> group_labels;

  void add_node(int id, std::vector<std::string> text, int group, FontSize font) {
    std::size_t widest = 1;
    for (const std::string& line : text) widest = std::max(widest, length(line));
    diagram.nodes.push_back({static_cast<double>(widest) * font.width + 2 * padding, static_cast<double>(text.size()) * font.height + padding, group});
    ids.push_back(id);
    lines.push_back(std::move(text));
  }
  void add_edge(int from, int to, std::string label, FontSize font) {
    const double width = label.empty() ? 0 : static_cast<double>(length(label)) * font.width + 4;
    diagram.edges.push_back({from, to, width, font.height});
    edge_labels.push_back(std::move(label));
  }
};

Json point_json(const Layout::Point& p) { return {p.x, p.y}; }

Json drawn(const Labelled& labelled) {
  const Layout layout = lay_out(labelled.diagram);
  Json json{{"width", layout.width}, {"height", layout.height}, {"nodes", Json::array()}, {"edges", Json::array()}, {"groups", Json::array()}};
  for (std::size_t k = 0; k < layout.nodes.size(); ++k) {
    const Layout::Box& box = layout.nodes[k];
    json["nodes"].push_back({{"id", labelled.ids[k]}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}, {"lines", labelled.lines[k]}});
  }
  for (std::size_t k = 0; k < layout.edges.size(); ++k) {
    const Diagram::Edge& edge = labelled.diagram.edges[k];
    Json one{{"from", labelled.ids[static_cast<std::size_t>(edge.from)]}, {"to", labelled.ids[static_cast<std::size_t>(edge.to)]}, {"points", Json::array()}};
    for (const Layout::Point& p : layout.edges[k].points) one["points"].push_back(point_json(p));
    one["tip"] = point_json(layout.edges[k].tip);
    if (!labelled.edge_labels[k].empty()) one.update({{"label", labelled.edge_labels[k]}, {"at", point_json(layout.edges[k].label)}});
    json["edges"].push_back(std::move(one));
  }
  for (std::size_t k = 0; k < layout.groups.size(); ++k)
    if (const Layout::Box& box = layout.groups[k]; box.width > 0)
      json["groups"].push_back({{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}, {"label", labelled.group_labels[k]}});
  return json;
}

/// The condition, then a line for each case: what is there, and what is done.
std::vector<std::string> lines_of(const coiterate::Lattice& lattice, const coiterate::Lattice::Point& point) {
  constexpr std::size_t widest = 56;
  std::vector<std::string> lines{clipped(condition(lattice, point), widest)};
  for (const coiterate::Outcome& outcome : outcomes(point)) {
    std::string what;
    for (const int k : outcome.present) what += (what.empty() ? "" : " ∩ ") + lattice.operands[static_cast<std::size_t>(k)].literal.name;
    const std::string done = coiterate::in_brief(outcome.body);
    lines.push_back(clipped("  " + (what.empty() ? "" : what + ": ") + done, widest));
  }
  return lines;
}

}  // namespace

Json drawing_of(const place::Graph& graph, const place::Fragments& fragments, FontSize font) {
  Labelled out;
  std::vector<int> components;
  for (const place::GraphNode& node : graph.nodes)
    if (node.component >= 0 && std::ranges::find(components, node.component) == components.end()) components.push_back(node.component);
  out.diagram.groups = static_cast<int>(components.size());
  out.diagram.group_label_height = font.height;
  out.group_labels.assign(components.size(), "cycle");
  std::vector<int> place_of;
  for (const place::GraphNode& node : graph.nodes) {
    const auto found = std::ranges::find(components, node.component);
    if (static_cast<int>(place_of.size()) <= node.id) place_of.resize(static_cast<std::size_t>(node.id) + 1, -1);
    place_of[static_cast<std::size_t>(node.id)] = static_cast<int>(out.ids.size());
    out.add_node(node.id, {node.label}, found == components.end() ? -1 : static_cast<int>(found - components.begin()), font);
  }
  for (const place::GraphEdge& edge : graph.edges)
    out.add_edge(place_of[static_cast<std::size_t>(edge.from)], place_of[static_cast<std::size_t>(edge.to)], "", font);
  Json json = drawn(out);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) json["edges"][k].update({{"fragment", fragments.fragments[static_cast<std::size_t>(graph.edges[k].fragment)].name}, {"exact", graph.edges[k].exact}});
  return json;
}

Json drawing_of(const Tree& tree, FontSize font) {
  Labelled out;
  out.diagram.ordered = true;
  for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
    const Tree::Node& node = tree.nodes[k];
    out.add_node(static_cast<int>(k), node.lines, -1, font);
    if (node.parent >= 0) out.add_edge(node.parent, static_cast<int>(k), node.way, font);
  }
  return drawn(out);
}

Json drawings_of(const std::vector<coiterate::NumberedLattice>& lattices, FontSize font) {
  Json list = Json::array();
  for (const coiterate::NumberedLattice& one : lattices) {
    const coiterate::Lattice& l = *one.lattice;
    const int end = static_cast<int>(l.points.size());
    Labelled out;
    for (int p = 0; p < end; ++p) out.add_node(one.point_id(p), lines_of(l, l.points[static_cast<std::size_t>(p)]), -1, font);
    out.add_node(one.point_id(-1), {"end"}, -1, font);
    for (int p = 0; p < end; ++p)
      for (const auto& edge : l.points[static_cast<std::size_t>(p)].edges)
        out.add_edge(p, edge.to < 0 ? end : edge.to, edge.runs_out < 0 ? "" : l.operands[static_cast<std::size_t>(edge.runs_out)].literal.name + " runs out", font);
    Json json = drawn(out);
    json["lattice"] = one.number;
    json["variable"] = l.for_().variable;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace trellis::view
