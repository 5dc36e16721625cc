#pragma once
// A drawing in the making: boxes for lines of text and arrows between them, which the layout then gives their places.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/view/drawing.hpp"

namespace trellis::view {

/// Code points.
inline std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A drawing whose boxes and curves have no place yet, beside what the layout asks.
struct Draft {
  static constexpr double padding = 9;
  Drawing drawing;
  Diagram diagram;
  FontSize font;

  void add_node(int id, Drawing::Kind kind, std::vector<std::string> lines, int frame = -1) {
    std::size_t widest = 1;
    for (const std::string& line : lines) widest = std::max(widest, length(line));
    diagram.nodes.push_back({static_cast<double>(widest) * font.width + 2 * padding,
                             static_cast<double>(lines.size()) * font.height + padding, frame});
    drawing.nodes.push_back({id, kind, {}, std::move(lines)});
  }
  /// Of the last node, before each line but the first.
  void make_room_for_marks(std::size_t marks) {
    const std::vector<std::string>& lines = drawing.nodes.back().lines;
    Diagram::Node& box = diagram.nodes.back();
    std::size_t widest = 0;
    for (std::size_t k = 1; k < lines.size(); ++k) widest = std::max(widest, length(lines[k]));
    box.width = std::max(box.width, static_cast<double>(widest + 2 * marks + 1) * font.width + 2 * padding);
    box.height = static_cast<double>(lines.size()) * 1.5 * font.height + padding;
  }
  /// Between nodes that are named by their places.
  void add_edge(int from, int to, std::string label) {
    const double width = label.empty() ? 0 : static_cast<double>(length(label)) * font.width + 4;
    diagram.edges.push_back({from, to, width, font.height});
    const auto id = [&](int place) { return drawing.nodes[static_cast<std::size_t>(place)].id; };
    drawing.edges.push_back({id(from), id(to), {}, std::move(label)});
  }

  Drawing laid_out() && {
    Layout layout = lay_out(diagram);
    drawing.width = layout.width;
    drawing.height = layout.height;
    for (std::size_t k = 0; k < layout.nodes.size(); ++k) drawing.nodes[k].box = layout.nodes[k];
    for (std::size_t k = 0; k < layout.edges.size(); ++k) drawing.edges[k].curve = std::move(layout.edges[k]);
    for (std::size_t k = 0; k < layout.groups.size(); ++k) drawing.frames[k].box = layout.groups[k];
    std::erase_if(drawing.frames, [](const Drawing::Frame& frame) { return frame.box.width <= 0; });
    return std::move(drawing);
  }
};

}  // namespace trellis::view
