#include "engine/view/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/view/drawing.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {
namespace {

constexpr double margin = 6, gap = 24;

constexpr const char* style = R"(  <style>
    text { font: 12px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #23262b; white-space: pre; }
    .box { fill: #eef4fd; stroke: #7ea6de; } .input .box { fill: #efefec; stroke: #a3a7ad; }
    .temporary .box { fill: #f6f3ee; stroke: #a3a7ad; stroke-dasharray: 4 3; } .end .box { fill: none; stroke: none; }
    .edge { fill: none; stroke: #6c727b; stroke-width: 1.1; } .loose { stroke-dasharray: 3 3; } .tip { fill: #6c727b; }
    .label { font-size: 11px; fill: #6c727b; } .frame { fill: none; stroke: #a3a7ad; stroke-dasharray: 2 4; }
  </style>
)";

std::string coordinate(double x) {
  char out[32];
  std::snprintf(out, sizeof out, "%.6g", std::round(x * 10) / 10);
  return out;
}

std::string xy(double x, double y) { return coordinate(x) + " " + coordinate(y); }
std::string xy(const Json& point) { return xy(point[0], point[1]); }

std::string text_at(double x, double y, const char* attributes, const std::string& text) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\"" + attributes + ">" + escaped_markup(text) + "</text>";
}

std::string rectangle(const Json& box, const char* style_class, int corner) {
  return "<rect class=\"" + std::string(style_class) + "\" x=\"" + coordinate(box["x"]) + "\" y=\"" + coordinate(box["y"]) + "\" width=\"" + coordinate(box["width"]) +
         "\" height=\"" + coordinate(box["height"]) + "\" rx=\"" + std::to_string(corner) + "\"/>";
}

/// The curve up to its arrow's head, and the head.
std::string arrow(const Json& edge) {
  const Json& points = edge["points"];
  if (points.empty()) return "";
  std::string path = "M" + xy(points[0]);
  for (std::size_t k = 1; k + 2 < points.size(); k += 3) path += "C" + xy(points[k]) + " " + xy(points[k + 1]) + " " + xy(points[k + 2]);
  const Json& base = points.back();
  const double x = base[0], y = base[1], dx = edge["tip"][0].get<double>() - x, dy = edge["tip"][1].get<double>() - y;
  const double scale = 3.2 / std::max(1e-9, std::hypot(dx, dy));
  const std::string head = "M" + xy(edge["tip"]) + "L" + xy(x - dy * scale, y + dx * scale) + "L" + xy(x + dy * scale, y - dx * scale) + "Z";
  const bool loose = edge.contains("exact") && !edge["exact"].get<bool>();
  std::string out = "<path class=\"edge" + std::string(loose ? " loose" : "") + "\" d=\"" + path + "\"/><path class=\"tip\" d=\"" + head + "\"/>";
  if (edge.contains("label")) out += text_at(edge["at"][0], edge["at"][1].get<double>() + 4, " class=\"label\" text-anchor=\"middle\"", edge["label"]);
  return out;
}

std::string box(const Json& node, const std::string& kind) {
  const std::vector<std::string> lines = node["lines"];
  const double x = node["x"], y = node["y"], width = node["width"], height = node["height"], step = (height - 8) / static_cast<double>(lines.size());
  std::string out = "<g class=\"" + kind + "\">" + rectangle(node, "box", 6);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const double at = y + 4 + step * (static_cast<double>(k) + 0.5) + 4;
    out += lines.size() > 1 ? text_at(x + 9, at, "", lines[k]) : text_at(x + width / 2, at, " text-anchor=\"middle\"", lines[k]);
  }
  return out + "</g>";
}

std::string picture(const std::vector<Json>& drawings, const std::string& title, const std::function<std::string(const Json& node)>& kind_of) {
  double width = 0, height = 0;
  std::string body;
  for (const Json& drawing : drawings) {
    height += height > 0 ? gap : 0;
    body += "  <g transform=\"translate(" + xy(margin, margin + height) + ")\">\n";
    for (const Json& group : drawing["groups"])
      body += "    " + rectangle(group, "frame", 8) + text_at(group["x"].get<double>() + 8, group["y"].get<double>() + 15, " class=\"label\"", group["label"]) + "\n";
    for (const Json& edge : drawing["edges"]) body += "    " + arrow(edge) + "\n";
    for (const Json& node : drawing["nodes"]) body += "    " + box(node, kind_of(node)) + "\n";
    body += "  </g>\n";
    width = std::max(width, drawing["width"].get<double>());
    height += drawing["height"].get<double>();
  }
  const std::string size = coordinate(width + 2 * margin), tall = coordinate(height + 2 * margin);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" + tall + "\" viewBox=\"0 0 " + size + " " + tall + "\">\n  <title>" +
         escaped_markup(title) + "</title>\n" + style + body + "</svg>\n";
}

}  // namespace

std::string escaped_markup(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else out += c;
  }
  return out;
}

std::string to_svg(const place::Graph& graph, const place::Fragments& fragments, const std::string& title) {
  const auto kind_of = [&](const Json& drawn) -> std::string {
    const auto node = std::ranges::find(graph.nodes, drawn["id"].get<int>(), &place::GraphNode::id);
    return node->kind == place::GraphNode::Kind::input ? "input" : node->kind == place::GraphNode::Kind::temporary ? "temporary" : "result";
  };
  return picture({drawing_of(graph, fragments)}, title, kind_of);
}

std::string to_svg(const Tree& tree, const std::string& title) {
  return picture({drawing_of(tree)}, title, [](const Json&) { return std::string("step"); });
}

std::string to_svg(const std::vector<coiterate::NumberedLattice>& lattices, const std::string& title) {
  const auto kind_of = [](const Json& drawn) { return std::string(drawn["lines"] == Json{"end"} ? "end" : "point"); };
  const Json drawings = drawings_of(lattices);
  return picture(std::vector<Json>(drawings.begin(), drawings.end()), title, kind_of);
}

}  // namespace trellis::view
