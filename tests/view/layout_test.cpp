// Laid out graphs: boxes apart and inside the drawing, arrows from one to the other, the same every time.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "engine/view/layers.hpp"
#include "engine/view/layout.hpp"

using trellis::view::Diagram;
using trellis::view::lay_out;
using trellis::view::Layout;

namespace {

bool apart(const Layout::Box& a, const Layout::Box& b) {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

bool inside(const Layout::Box& a, const Layout& all) {
  return a.x >= -0.1 && a.y >= -0.1 && a.x + a.width <= all.width + 0.1 && a.y + a.height <= all.height + 0.1;
}

bool inside(const Layout::Box& a, const Layout::Box& b) {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
}

double distance(const Layout::Point& p, const Layout::Box& b) {
  const double dx = std::max({b.x - p.x, 0.0, p.x - b.x - b.width}),
               dy = std::max({b.y - p.y, 0.0, p.y - b.y - b.height});
  return std::hypot(dx, dy);
}

Diagram diamond() {
  Diagram d;
  d.nodes = {{60, 20}, {40, 20}, {80, 20}, {60, 20}};
  d.edges = {{0, 1, 30, 14}, {0, 2}, {1, 3}, {2, 3}};
  return d;
}

/// With cycles, loops and edges that say the same twice.
Diagram tangle(int nodes, int edges) {
  std::mt19937 draw(7);
  const auto below = [&](int most) { return static_cast<int>(draw() % static_cast<unsigned>(most)); };
  Diagram d;
  for (int k = 0; k < nodes; ++k) d.nodes.push_back({20.0 + below(80), 16.0 + below(20)});
  for (int k = 0; k < edges; ++k) d.edges.push_back({below(nodes), below(nodes), below(3) == 0 ? 30.0 : 0, 14});
  return d;
}

}  // namespace

TEST_CASE("a layout keeps sizes, keeps boxes apart and joins them") {
  const Diagram diagram = diamond();
  const Layout layout = lay_out(diagram);
  REQUIRE(layout.nodes.size() == 4);
  REQUIRE(layout.edges.size() == 4);
  for (std::size_t a = 0; a < 4; ++a) {
    CHECK(layout.nodes[a].width == diagram.nodes[a].width);
    CHECK(inside(layout.nodes[a], layout));
    for (std::size_t b = 0; b < a; ++b) CHECK(apart(layout.nodes[a], layout.nodes[b]));
  }
  for (std::size_t e = 0; e < 4; ++e) {
    const Layout::Curve& curve = layout.edges[e];
    CHECK(curve.points.size() % 3 == 1);
    CHECK(distance(curve.points.front(), layout.nodes[static_cast<std::size_t>(diagram.edges[e].from)]) < 2);
    CHECK(distance(curve.tip, layout.nodes[static_cast<std::size_t>(diagram.edges[e].to)]) < 2);
  }
  CHECK(layout.nodes[0].y < layout.nodes[1].y);
  CHECK(layout.nodes[1].y < layout.nodes[3].y);
  CHECK(layout.edges[0].label.y > layout.nodes[0].y);
}

TEST_CASE("a layout draws frames around groups, cycles, loops and single boxes") {
  Diagram diagram = diamond();
  for (const int k : {1, 2}) diagram.nodes[static_cast<std::size_t>(k)].group = 0;
  diagram.edges.push_back({3, 0});
  diagram.edges.push_back({2, 2});
  diagram.groups = 2;
  diagram.group_label_height = 16;
  const Layout layout = lay_out(diagram);
  REQUIRE(layout.groups.size() == 2);
  for (const int k : {1, 2}) CHECK(inside(layout.nodes[static_cast<std::size_t>(k)], layout.groups[0]));
  CHECK(layout.nodes[1].y - layout.groups[0].y >= 16);
  CHECK(layout.groups[1].width == 0);
  CHECK(layout.edges.back().points.size() >= 4);
  CHECK(lay_out({{{10, 10}}, {}, 0, 0}).nodes.size() == 1);
  CHECK(lay_out({}).nodes.empty());
}

TEST_CASE("equal diagrams have equal layouts") { CHECK(lay_out(diamond()) == lay_out(diamond())); }

#ifndef __SANITIZE_ADDRESS__  // which counts differently
// Graphviz keeps about 400 bytes of each layout; the layout itself takes 5000, and so does its context.
TEST_CASE("layouts are given back") {
  auto lay_out_others = [width = 40.0](int times) mutable {
    for (int k = 0; k < times; ++k) {
      Diagram diagram = diamond();
      diagram.edges[0].label_width = diagram.edges[0].label_height = 0;
      diagram.nodes[0].width = ++width;
      CHECK(lay_out(diagram).width > 0);
    }
  };
  lay_out_others(200);  // more than are kept
  const std::size_t before = mallinfo2().uordblks;
  lay_out_others(40);
  CHECK(mallinfo2().uordblks < before + 40 * 2000);
}

// One who edits and takes it back for an hour would otherwise pay for it by 10 MiB.
TEST_CASE("what was laid out a moment ago costs nothing, although Graphviz keeps something of each layout") {
  Diagram one = diamond(), other = diamond();
  one.groups = other.groups = 1;
  one.nodes[1].group = one.nodes[2].group = other.nodes[1].group = 0;
  const auto lay_out_in_turn = [&](int times) {
    for (int k = 0; k < times; ++k) CHECK(lay_out(one) != lay_out(other));
  };
  lay_out_in_turn(2);
  const std::size_t before = mallinfo2().uordblks;
  lay_out_in_turn(100);
  CHECK(mallinfo2().uordblks < before + 4000);
}
#endif

TEST_CASE("what is too large for Graphviz is laid out in layers, boxes apart and edges from one to the other") {
  for (const Diagram& diagram : {tangle(400, 3000), tangle(350, 0), tangle(20, 700), diamond()}) {
    const Layout layout = trellis::view::lay_out_in_layers(diagram);
    REQUIRE(layout.nodes.size() == diagram.nodes.size());
    REQUIRE(layout.edges.size() == diagram.edges.size());
    for (std::size_t a = 0; a < layout.nodes.size(); ++a) {
      REQUIRE(layout.nodes[a].width == diagram.nodes[a].width);
      REQUIRE(inside(layout.nodes[a], layout));
      for (std::size_t b = 0; b < a; ++b) REQUIRE(apart(layout.nodes[a], layout.nodes[b]));
    }
    for (std::size_t e = 0; e < layout.edges.size(); ++e) {
      REQUIRE(distance(layout.edges[e].points.front(), layout.nodes[static_cast<std::size_t>(diagram.edges[e].from)]) <
              2);
      REQUIRE(distance(layout.edges[e].tip, layout.nodes[static_cast<std::size_t>(diagram.edges[e].to)]) < 2);
    }
    if (diagram.nodes.size() > 300 || diagram.edges.size() > 600) CHECK(lay_out(diagram) == layout);
    else CHECK(layout.nodes[0].y < layout.nodes[3].y);
  }
}

TEST_CASE("threads may lay out at the same time") {
  const Layout alone = lay_out(diamond());
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int& count : wrong)
    threads.emplace_back([&count, &alone] {
      for (int k = 0; k < 25; ++k) count += lay_out(diamond()) == alone ? 0 : 1;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
