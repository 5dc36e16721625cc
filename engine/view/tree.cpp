#include "engine/view/tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/view/dot.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {

namespace {

struct Line {
  int indent = 0;
  std::string text;
  std::vector<int> starts = {};  ///< the nodes whose text begins here
};

std::vector<Line> lines_of(const text::Text& text) {
  std::vector<Line> lines;
  auto span = text.spans.begin();
  for (std::size_t begin = 0; begin < text.characters.size();) {
    const std::size_t end = std::min(text.characters.find('\n', begin), text.characters.size());
    const std::size_t first = std::min(text.characters.find_first_not_of(' ', begin), end);
    Line line{static_cast<int>(first - begin), text.characters.substr(first, end - first)};
    for (; span != text.spans.end() && span->begin < end; ++span)
      if (span->begin == first) line.starts.push_back(span->node.id);
    if (first < end) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

/// Puts line after line where it belongs.
class Outline {
 public:
  explicit Outline(const std::string& title) { tree_.nodes.push_back({{title}}); }

  void add(const Line& line, bool holds_more) {
    while (line.indent <= open_.back().indent) open_.pop_back();
    if (!holds_more) return add_step(line);
    const bool other_way = line.starts.empty() && (line.text == "else" || line.text == "then");
    const int node = other_way ? open_.back().last : add_node(line);
    open_.back().last = node;
    open_.back().steps = -1;
    open_.push_back({line.indent, node, other_way ? line.text : ""});
  }

  Tree take() { return std::move(tree_); }

 private:
  /// A line to which lines further to the right belong.
  struct Open {
    int indent = -1;
    int node = 0;
    std::string way = {};
    int last = -1;   ///< the node of the last such line within it
    int steps = -1;  ///< the node that goes on with steps, if the last line was one
  };

  int add_node(const Line& line) {
    tree_.nodes.push_back({{line.text}, line.starts, open_.back().node, open_.back().way});
    return static_cast<int>(tree_.nodes.size()) - 1;
  }

  /// What is no node of the stage, such as a loop's cursors, is part of the line above.
  void add_step(const Line& line) {
    Open& around = open_.back();
    if (!line.starts.empty() && around.steps < 0) {
      around.steps = add_node(line);
      return;
    }
    Tree::Node& node = tree_.nodes[static_cast<std::size_t>(line.starts.empty() ? around.node : around.steps)];
    node.lines.push_back(line.text);
    node.shows.insert(node.shows.end(), line.starts.begin(), line.starts.end());
  }

  Tree tree_;
  std::vector<Open> open_ = {{}};
};

}  // namespace

Tree tree_of_algebra(const std::vector<coiterate::NumberedLattice>& lattices) {
  Tree tree;
  for (const coiterate::NumberedLattice& one : lattices) {
    const auto around = std::ranges::find(lattices, one.parent, &coiterate::NumberedLattice::number);
    Tree::Node node{{head(*one.lattice)},
                    {one.number},
                    around == lattices.end() ? -1 : static_cast<int>(around - lattices.begin()),
                    where_missing(one)};
    for (std::string& remark : remarks(*one.lattice)) node.lines.push_back(std::move(remark));
    tree.nodes.push_back(std::move(node));
  }
  return tree;
}

Tree tree_of_flow(const text::Text& flow, const std::string& title) {
  Outline outline(title);
  const std::vector<Line> lines = lines_of(flow);
  for (std::size_t k = 0; k < lines.size(); ++k)
    outline.add(lines[k], k + 1 < lines.size() && lines[k + 1].indent > lines[k].indent);
  return outline.take();
}

Json tree_json(const Tree& tree) {
  Json json{{"nodes", Json::array()}, {"edges", Json::array()}};
  for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
    const Tree::Node& node = tree.nodes[k];
    json["nodes"].push_back({{"id", k}, {"lines", node.lines}, {"shows", node.shows}});
    if (node.parent < 0) continue;
    json["edges"].push_back({{"from", node.parent}, {"to", k}});
    if (!node.way.empty()) json["edges"].back()["label"] = node.way;
  }
  return json;
}

std::string to_dot(const Tree& tree, const std::string& title) {
  std::string out = "digraph \"" + escaped(title) + "\" {\n  label=\"" + escaped(title) +
                    "\";\n  ordering=out;\n  node [fontname=\"monospace\", shape=box, style=\"rounded,filled\", "
                    "fillcolor=\"#cfe8ff\"];\n  edge [fontname=\"monospace\"];\n";
  for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
    const Tree::Node& node = tree.nodes[k];
    std::string label;
    for (const std::string& line : node.lines) label += escaped(line) + "\\l";
    out += "  n" + std::to_string(k) + " [label=\"" + label + "\"];\n";
    if (node.parent < 0) continue;
    const std::string way = node.way.empty() ? "" : " [label=\"" + escaped(node.way) + "\"]";
    out += "  n" + std::to_string(node.parent) + " -> n" + std::to_string(k) + way + ";\n";
  }
  return out + "}\n";
}

}  // namespace trellis::view
