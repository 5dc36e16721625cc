#include "engine/view/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/view/drawing.hpp"

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
std::string xy(const Layout::Point& point) { return xy(point.x, point.y); }

std::string text_at(double x, double y, const char* attributes, const std::string& text) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\"" + attributes + ">" + escaped_markup(text) +
         "</text>";
}

std::string rectangle(const Layout::Box& box, const char* style_class, int corner) {
  return "<rect class=\"" + std::string(style_class) + "\" x=\"" + coordinate(box.x) + "\" y=\"" + coordinate(box.y) +
         "\" width=\"" + coordinate(box.width) + "\" height=\"" + coordinate(box.height) + "\" rx=\"" +
         std::to_string(corner) + "\"/>";
}

/// The curve up to its arrow's head, and the head.
std::string arrow(const Drawing::Edge& edge) {
  const std::vector<Layout::Point>& points = edge.curve.points;
  if (points.empty()) return "";
  const Layout::Point tip = edge.curve.tip, base = points.back();
  std::string path = "M" + xy(points[0]);
  for (std::size_t k = 1; k + 2 < points.size(); k += 3)
    path += "C" + xy(points[k]) + " " + xy(points[k + 1]) + " " + xy(points[k + 2]);
  const double dx = tip.x - base.x, dy = tip.y - base.y, scale = 3.2 / std::max(1e-9, std::hypot(dx, dy));
  const std::string head = "M" + xy(tip) + "L" + xy(base.x - dy * scale, base.y + dx * scale) + "L" +
                           xy(base.x + dy * scale, base.y - dx * scale) + "Z";
  std::string out = "<path class=\"edge" + std::string(edge.exact ? "" : " loose") + "\" d=\"" + path +
                    "\"/><path class=\"tip\" d=\"" + head + "\"/>";
  const Layout::Point at = edge.curve.label;
  if (!edge.label.empty()) out += text_at(at.x, at.y + 4, " class=\"label\" text-anchor=\"middle\"", edge.label);
  return out;
}

const char* name_of(Drawing::Kind kind) {
  switch (kind) {
    case Drawing::Kind::input: return "input";
    case Drawing::Kind::result: return "result";
    case Drawing::Kind::temporary: return "temporary";
    case Drawing::Kind::point: return "point";
    case Drawing::Kind::end: return "end";
    case Drawing::Kind::step: break;
  }
  return "step";
}

std::string box(const Drawing::Node& node) {
  const Layout::Box& b = node.box;
  const double step = (b.height - 8) / static_cast<double>(node.lines.size());
  std::string out = "<g class=\"" + std::string(name_of(node.kind)) + "\">" + rectangle(b, "box", 6);
  for (std::size_t k = 0; k < node.lines.size(); ++k) {
    const double at = b.y + 4 + step * (static_cast<double>(k) + 0.5) + 4;
    out += node.lines.size() > 1 ? text_at(b.x + 9, at, "", node.lines[k])
                                 : text_at(b.x + b.width / 2, at, " text-anchor=\"middle\"", node.lines[k]);
  }
  return out + "</g>";
}

std::string picture(const std::vector<Drawing>& drawings, const std::string& title) {
  double width = 0, height = 0;
  std::string body;
  for (const Drawing& drawing : drawings) {
    height += height > 0 ? gap : 0;
    body += "  <g transform=\"translate(" + xy(margin, margin + height) + ")\">\n";
    for (const Drawing::Frame& frame : drawing.frames)
      body += "    " + rectangle(frame.box, "frame", 8) +
              text_at(frame.box.x + 8, frame.box.y + 15, " class=\"label\"", frame.label) + "\n";
    for (const Drawing::Edge& edge : drawing.edges) body += "    " + arrow(edge) + "\n";
    for (const Drawing::Node& node : drawing.nodes) body += "    " + box(node) + "\n";
    body += "  </g>\n";
    width = std::max(width, drawing.width);
    height += drawing.height;
  }
  const std::string size = coordinate(width + 2 * margin), tall = coordinate(height + 2 * margin);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" + tall + "\" viewBox=\"0 0 " +
         size + " " + tall + "\">\n  <title>" + escaped_markup(title) + "</title>\n" + style + body + "</svg>\n";
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
  return picture({drawing_of(graph, fragments)}, title);
}

std::string to_svg(const Tree& tree, const std::string& title) { return picture({drawing_of(tree)}, title); }

std::string to_svg(const std::vector<coiterate::NumberedLattice>& lattices, const std::string& title) {
  std::vector<Drawing> drawings;
  for (LatticeDrawing& one : drawings_of(lattices)) drawings.push_back(std::move(one.drawing));
  return picture(drawings, title);
}

}  // namespace trellis::view
