#include "engine/view/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/view/draft.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {
namespace {

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

Drawing::Kind kind_of(place::GraphNode::Kind kind) {
  switch (kind) {
    case place::GraphNode::Kind::input: return Drawing::Kind::input;
    case place::GraphNode::Kind::temporary: return Drawing::Kind::temporary;
    case place::GraphNode::Kind::result: break;
  }
  return Drawing::Kind::result;
}

constexpr std::size_t widest_case = 56;

/// The condition, then what is done in each case, which has a mark for each operand that is walked.
std::vector<std::string> marked_lines_of(const coiterate::Lattice& lattice, const coiterate::Lattice::Point& point) {
  std::vector<std::string> lines{clipped(coiterate::brief_condition(lattice, point), widest_case)};
  for (const coiterate::Outcome& outcome : outcomes(point))
    lines.push_back(clipped(coiterate::in_brief(outcome.body), widest_case));
  return lines;
}

/// The condition, then a line for each case: what is there, and what is done.
std::vector<std::string> lines_of(const coiterate::Lattice& lattice, const coiterate::Lattice::Point& point) {
  std::vector<std::string> lines{clipped(condition(lattice, point), widest_case)};
  for (const coiterate::Outcome& outcome : outcomes(point)) {
    std::string what;
    for (const int k : outcome.present)
      what += (what.empty() ? "" : " ∩ ") + lattice.operands[static_cast<std::size_t>(k)].literal.name;
    const std::string done = coiterate::in_brief(outcome.body);
    lines.push_back(clipped("  " + (what.empty() ? "" : what + ": ") + done, widest_case));
  }
  return lines;
}

}  // namespace

Drawing drawing_of(const place::Graph& graph, const place::Fragments& fragments, FontSize font, Inputs inputs) {
  Draft out{{}, {}, font};
  std::vector<int> components;
  for (const place::GraphNode& node : graph.nodes)
    if (node.component >= 0 && std::ranges::find(components, node.component) == components.end())
      components.push_back(node.component);
  out.diagram.groups = static_cast<int>(components.size());
  out.diagram.group_label_height = font.height;
  out.drawing.frames.assign(components.size(), {{}, "cycle"});
  std::map<int, int> place_of;
  std::map<int, std::vector<std::string>> lines;
  for (const place::GraphNode& node : graph.nodes) lines[node.id].push_back(node.label);
  const auto is_folded = [&](int id) {
    const auto node = std::ranges::find(graph.nodes, id, &place::GraphNode::id);
    return inputs == Inputs::folded && node->kind == place::GraphNode::Kind::input;
  };
  for (const place::GraphEdge& edge : graph.edges)
    if (is_folded(edge.from)) lines[edge.to].push_back("  " + lines[edge.from].front());
  for (const place::GraphNode& node : graph.nodes) {
    if (is_folded(node.id)) continue;
    const auto found = std::ranges::find(components, node.component);
    place_of[node.id] = static_cast<int>(out.drawing.nodes.size());
    out.add_node(node.id, kind_of(node.kind), lines[node.id],
                 found == components.end() ? -1 : static_cast<int>(found - components.begin()));
  }
  for (const place::GraphEdge& edge : graph.edges) {
    if (is_folded(edge.from)) continue;
    out.add_edge(place_of[edge.from], place_of[edge.to], "");
    Drawing::Edge& drawn = out.drawing.edges.back();
    drawn.fragment = fragments.fragments[static_cast<std::size_t>(edge.fragment)].name;
    drawn.exact = edge.exact;
  }
  return std::move(out).laid_out();
}

namespace {

/// The head goes to the other end, where as much of the curve makes room for it.
void turn_around(Drawing::Edge& edge) {
  std::swap(edge.from, edge.to);
  Layout::Curve& curve = edge.curve;
  if (curve.points.size() < 2) return;
  const Layout::Point begin = std::exchange(curve.tip, curve.points.front());
  std::ranges::reverse(curve.points);
  curve.points.front() = begin;
  const Layout::Point before = curve.points[curve.points.size() - 2];
  const double dx = before.x - curve.tip.x, dy = before.y - curve.tip.y, length = std::hypot(dx, dy);
  const double head = length > 0 ? std::min(1.0, 7 / length) : 0;
  curve.points.back() = {curve.tip.x + dx * head, curve.tip.y + dy * head};
}

}  // namespace

Drawing drawing_of(const Tree& tree, FontSize font, Arrows arrows) {
  Draft out{{}, {}, font};
  out.diagram.ordered = true;
  for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
    const Tree::Node& node = tree.nodes[k];
    out.add_node(static_cast<int>(k), Drawing::Kind::step, node.lines);
    if (node.parent >= 0) out.add_edge(node.parent, static_cast<int>(k), node.way);
  }
  Drawing drawing = std::move(out).laid_out();
  if (arrows == Arrows::up) std::ranges::for_each(drawing.edges, turn_around);
  return drawing;
}

std::vector<LatticeDrawing> drawings_of(const std::vector<coiterate::NumberedLattice>& lattices, FontSize font,
                                        Cases cases) {
  std::vector<LatticeDrawing> list;
  for (const coiterate::NumberedLattice& one : lattices) {
    const coiterate::Lattice& l = *one.lattice;
    const int end = static_cast<int>(l.points.size());
    Draft out{{}, {}, font};
    const std::size_t walked =
        l.with_role(coiterate::Lattice::Role::leads).size() + l.with_role(coiterate::Lattice::Role::follows).size();
    for (int p = 0; p < end; ++p) {
      const coiterate::Lattice::Point& point = l.points[static_cast<std::size_t>(p)];
      out.add_node(one.point_id(p), Drawing::Kind::point,
                   cases == Cases::marked ? marked_lines_of(l, point) : lines_of(l, point));
      if (cases == Cases::marked) out.make_room_for_marks(walked);
    }
    out.add_node(one.point_id(-1), Drawing::Kind::end, {"end"});
    for (int p = 0; p < end; ++p)
      for (const auto& edge : l.points[static_cast<std::size_t>(p)].edges) {
        const auto name = [&] { return l.operands[static_cast<std::size_t>(edge.runs_out)].literal.name; };
        out.add_edge(p, edge.to < 0 ? end : edge.to, edge.runs_out < 0 ? "" : name() + " runs out");
      }
    list.push_back({one.number, l.for_().variable, std::move(out).laid_out()});
  }
  return list;
}

Json to_json(const Drawing& drawing) {
  const auto point = [](const Layout::Point& p) { return Json{p.x, p.y}; };
  const auto box = [](const Layout::Box& b) {
    return Json{{"x", b.x}, {"y", b.y}, {"width", b.width}, {"height", b.height}};
  };
  Json json{{"width", drawing.width},
            {"height", drawing.height},
            {"nodes", Json::array()},
            {"edges", Json::array()},
            {"groups", Json::array()}};
  for (const Drawing::Node& node : drawing.nodes) {
    Json one{{"id", node.id}};
    one.update(box(node.box));
    one["lines"] = node.lines;
    json["nodes"].push_back(std::move(one));
  }
  for (const Drawing::Edge& edge : drawing.edges) {
    Json one{{"from", edge.from}, {"to", edge.to}, {"points", Json::array()}};
    for (const Layout::Point& p : edge.curve.points) one["points"].push_back(point(p));
    one["tip"] = point(edge.curve.tip);
    if (!edge.label.empty()) one.update({{"label", edge.label}, {"at", point(edge.curve.label)}});
    if (!edge.fragment.empty()) one.update({{"fragment", edge.fragment}, {"exact", edge.exact}});
    json["edges"].push_back(std::move(one));
  }
  for (const Drawing::Frame& frame : drawing.frames) {
    Json one = box(frame.box);
    one["label"] = frame.label;
    json["groups"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const LatticeDrawing& one) {
  Json json = to_json(one.drawing);
  json["lattice"] = one.lattice;
  json["variable"] = one.variable;
  return json;
}

}  // namespace trellis::view
