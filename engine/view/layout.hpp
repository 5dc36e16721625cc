#pragma once
// Where boxes and arrows go: layered drawings by Graphviz, in process and without text of its own. The result is data;
// whoever draws it (the report's page, a window) measures its own font and brings its own colours.
//
//   lay_out({.nodes = {{40, 20}, {40, 20}}, .edges = {{0, 1}}})     two boxes, one above the other, and a curve between them

#include <string>
#include <vector>

namespace trellis::view {

/// Sizes are in the unit of the drawing, such as pixels. Edges and groups name nodes by their place in the list.
struct Diagram {
  struct Node {
    double width = 0, height = 0;
    int group = -1;  ///< drawn inside that group's frame
    bool operator==(const Node&) const = default;
  };
  struct Edge {
    int from = 0, to = 0;
    double label_width = 0, label_height = 0;  ///< room beside the edge; none when 0
    bool operator==(const Edge&) const = default;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  int groups = 0;
  double group_label_height = 0;  ///< room at the top of each frame
  bool ordered = false;           ///< what a node's edges lead to stands from left to right as they are listed
  bool operator==(const Diagram&) const = default;
};

/// x grows to the right and y downwards, from 0 to the width and height.
struct Layout {
  struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
  };
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;  ///< upper left corner
    bool operator==(const Box&) const = default;
  };
  struct Curve {
    std::vector<Point> points;  ///< a Bézier spline: its start, then two control points and an end for each part
    Point tip;                  ///< of the arrow, beyond the spline's end
    Point label;                ///< centre
    bool operator==(const Curve&) const = default;
  };
  double width = 0, height = 0;
  std::vector<Box> nodes;
  std::vector<Curve> edges;
  std::vector<Box> groups;  ///< frames; empty ones have no width
  bool operator==(const Layout&) const = default;
};

/// Edges lead downwards as far as cycles allow. Equal diagrams give equal layouts. Above 300 nodes or 600 edges the
/// layers are our own (layers.hpp): straight edges and no frames. Safe from several threads. The last hundred or so are
/// kept, since an edit and what takes it back mostly leave the diagram as it was.
Layout lay_out(const Diagram& diagram);

}  // namespace trellis::view
