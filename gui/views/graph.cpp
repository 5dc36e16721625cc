// The dependence graph: what is read points to what is computed of it.
#include <algorithm>
#include <cmath>

#include "engine/text/fit.hpp"
#include "gui/minimap.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using Kind = view::Drawing::Kind;

struct GraphKept {
  bool inputs = false;
  std::string clicked;  ///< stays put
  const session::DrawnView* of = nullptr;
  double changed = 0;
};

std::string graph_subtitle(const Scene& scene) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn || drawn->graph.nodes.empty()) return "";
  const bool stepped = drawn->placement && scene.steps.placement < drawn->placement->events.size();
  return stepped ? "fragments as they are placed" : "an arrow leads from what is read to what is computed";
}

/// While a placement is stepped: what has become of the fragments that write a node, the least of them. Of what nothing
/// in the kernel writes there is none.
std::optional<place::Progress::Kind> readiness(const Scene& scene, const view::Drawing::Node& node) {
  const session::PlacementView* placement = scene.drawn()->placement.get();
  if (!placement || scene.steps.placement >= placement->events.size()) return std::nullopt;
  const std::string& label = name_of(node);
  const std::string tensor = label.substr(0, label.find('('));
  std::optional<place::Progress::Kind> least;
  bool own = false;
  for (const session::PlacementView::Fragment& fragment : placement->fragments) {
    const bool same = fragment.writes == label;
    if (!same && (own || fragment.writes.substr(0, fragment.writes.find('(')) != tensor)) continue;
    const auto kind = placement->progress[scene.steps.placement][static_cast<std::size_t>(fragment.id)].kind;
    least = same && !own ? kind : std::min(least.value_or(kind), kind);
    own = own || same;
  }
  return least;
}

const char* readiness_word(place::Progress::Kind kind) {
  switch (kind) {
    case place::Progress::Kind::placed: return "placed";
    case place::Progress::Kind::tried: return "being tried";
    case place::Progress::Kind::refused: return "refused for now";
    case place::Progress::Kind::waiting: break;
  }
  return "waits";
}

void draw_readiness(Paint& paint, const Theme& t, Point at, place::Progress::Kind kind) {
  paint.disc(at, 7.5F, t(Token::pane));
  switch (kind) {
    case place::Progress::Kind::placed: return paint.verdict(at, Verdict::legal, t, 6.5F);
    case place::Progress::Kind::refused: return paint.verdict(at, Verdict::refused, t, 5.5F);
    case place::Progress::Kind::waiting: return paint.verdict(at, Verdict::waits, t, 5.5F);
    case place::Progress::Kind::tried:
      paint.ring(at, 5.5F, t(Token::accent), 1.5F), paint.disc(at, 2.5F, t(Token::accent));
  }
}

/// An input that is folded into a box is a node of the graph like any other.
void link_input(const Scene& scene, Ui& ui, const std::string& label, Rect area) {
  const auto& all = scene.drawn()->graph_with_inputs.nodes;
  const auto found = std::ranges::find(all, label, [](const view::Drawing::Node& node) { return name_of(node); });
  if (found == all.end()) return;
  const text::NodeId id{text::Stage::graph, found->id};
  ui.label("input:" + std::to_string(found->id), label, area, ui.glow(id) == Ui::Glow::none ? "" : "lit");
  ui.node(id, area);
  if (ui.glow(id) != Ui::Glow::none) draw_glow(ui.paint(), ui.theme(), area, ui.glow(id));
}

void draw_graph_node(const Scene& scene, Ui& ui, const PlacedDrawing& placed, std::size_t i,
                     const view::Drawing::Node& node, GraphKept& kept) {
  const Rect box = placed.box(i);
  Paint& paint = ui.paint();
  if (!box.inset(-12).meets(paint.clipped())) return;
  const Theme& t = ui.theme();
  const text::NodeId id{text::Stage::graph, node.id};
  const auto ready = readiness(scene, node);
  const char* kind = node.kind == Kind::input ? "input" : node.kind == Kind::temporary ? "temporary" : "result";
  const Response response =
      ui.item("node:" + std::to_string(node.id), "node", name_of(node), ready ? readiness_word(*ready) : kind, box);
  if (response.pressed) kept.clicked = name_of(node);
  ui.node(id, box);

  const Ui::Glow glow = ui.glow(id);
  const bool lit = glow != Ui::Glow::none, done = ready == place::Progress::Kind::placed;
  const float radius = placed.zoom() > 0.4F ? 7 : 0;
  paint.fill(box, t(Token::pane), radius);
  if (done) paint.fill(box, t.fill(Token::good, t.verdict_fill), radius);
  else if (node.kind == Kind::result) paint.fill(box, t.fill(Token::accent, t.light ? 0.14F : 0.22F), radius);
  else if (node.kind == Kind::input) paint.fill(box, t(Token::raised), radius);
  if (lit) paint.fill(box, t.fill(Token::kin, t.kin_fill * (glow == Ui::Glow::weak ? 0.5F : 1.4F)), radius);
  if (response.hovered) paint.fill(box, t.fill(Token::ink, 0.06F), radius);
  const Colour edge = lit                         ? t(Token::kin)
                      : done                      ? t(Token::good)
                      : node.kind == Kind::result ? t(Token::accent)
                                                  : t(Token::edge);
  if (node.kind == Kind::temporary && !lit) paint.dashed(box, edge, 1.2F, radius);
  else paint.outline(box, edge, lit && glow != Ui::Glow::weak ? 2 : 1, radius);
  if (glow == Ui::Glow::pinned) paint.outline(box.inset(-2.5F), t.fill(Token::kin, 0.6F), 1, radius + 2);

  const Font font = placed.canvas().font();
  const float advance = advance_of(font), row = 20 * placed.zoom();
  if (!placed.canvas().legible()) return;
  for (std::size_t line = 0; line < node.lines.size(); ++line) {
    // Inputs that are folded into the box stand below what it computes.
    const std::string words =
        node.lines[line].substr(std::min(node.lines[line].find_first_not_of(' '), node.lines[line].size()));
    const float wide = static_cast<float>(text::width_of(words)) * advance,
                y = box.y + 4.5F * placed.zoom() + static_cast<float>(line) * row;
    const Point at{
        std::round(node.lines.size() == 1 ? box.centre().x - wide / 2 : box.x + (line == 0 ? 9 : 17) * placed.zoom()),
        std::round(y + (row - paint.height(font)) / 2)};
    if (line > 0) link_input(scene, ui, words, {at.x - 2, y, wide + 4, row});
    if (wide <= box.w + 2) paint_line(paint, t, at, words, Colouring::program, &scene, font, line == 0 ? 1 : 0.7F);
  }
  if (ready && placed.zoom() > 0.35F) draw_readiness(paint, t, {box.right() - 1, box.y + 1}, *ready);
}

void draw_graph_edges(const Scene& scene, Ui& ui, const PlacedDrawing& placed, const view::Drawing& drawing,
                      const GraphKept& kept) {
  const Theme& t = ui.theme();
  const auto& violated = scene.drawn()->violated;
  const auto is_violated = [&](const view::Drawing::Edge& edge) {
    return !scene.predict && violated.contains({edge.from, edge.to});
  };
  const auto glow = [&](int node) { return ui.glow({text::Stage::graph, node}); };
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
    const view::Drawing::Edge& edge = drawing.edges[e];
    if (is_violated(edge)) continue;
    const bool lit = glow(edge.from) >= Ui::Glow::strong && glow(edge.to) >= Ui::Glow::strong;
    placed.draw_edge(e, {.colour = t(lit          ? Token::kin
                                     : edge.exact ? Token::edge
                                                  : Token::line2),
                         .thickness = lit ? 1.8F : 1.2F,
                         .dashed = !edge.exact});
  }
  // Above the others. The dashes run for a while, and as long as someone looks.
  const bool runs =
      !ui.reduced_motion && (ui.input().now - kept.changed < 4 || ui.paint().clipped().contains(ui.input().mouse));
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
    if (!is_violated(drawing.edges[e])) continue;
    const float phase = runs ? static_cast<float>(-ui.input().now * 18) : 0;
    placed.draw_edge(
        e,
        {.colour = t(Token::bad), .thickness = 3, .dashed = true, .phase = phase, .halo = t.fill(Token::bad, 0.16F)});
    const std::vector<Point> points = placed.curve(e);
    if (!points.empty())
      ui.label("edge:" + std::to_string(drawing.edges[e].from) + "-" + std::to_string(drawing.edges[e].to),
               "read too early", {points[points.size() / 2].x - 6, points[points.size() / 2].y - 6, 12, 12},
               "violated");
    if (runs) ui.animate();
  }
}

/// In a row of its own above the drawing.
void draw_violation_tag(const Scene& scene, Ui& ui, Rect& area) {
  const session::ExplainedView* explained = scene.explained();
  if (scene.predict || !explained || !explained->why) return;
  const auto& extent = explained->why->extent;
  const std::string words = extent ? std::to_string(extent->violations) + " of " + std::to_string(extent->reads) +
                                         " reads come too early" +
                                         (extent->sizes.empty() ? "" : " at " + text::to_string(extent->sizes))
                                   : explained->why->reason;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Rect row = area.take_top(32),
             pill{row.x + 12, row.y + 4, std::min(row.w - 24, paint.width(words, Font::text) + 36), 22};
  paint.fill(pill, t.fill(Token::bad, t.verdict_fill), 11);
  paint.verdict({pill.x + 13, pill.y + 11}, Verdict::illegal, t, 6.5F);
  paint.text_in({pill.x + 26, pill.y, pill.w - 34, pill.h}, words, Font::text, t(Token::bad));
  ui.label("violations", words, pill, "illegal");
}

void draw_graph(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn)
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  if (drawn->graph.nodes.empty())
    return draw_nothing(ui, area,
                        scene.explained() && scene.explained()->order.empty() ? "a loop program has no dependence graph"
                                                                              : "the equations have no graph",
                        "");
  auto& kept = ui.memory<GraphKept>("kept");
  if (kept.of != drawn) kept.of = drawn, kept.changed = ui.input().now;
  if (ui.key("X")) kept.inputs = !kept.inputs;
  const view::Drawing& drawing = kept.inputs ? drawn->graph_with_inputs : drawn->graph;
  draw_violation_tag(scene, ui, area);
  {
    PlacedDrawing placed(ui, "graph", area, scene.kernel->drawn, drawing, kept.clicked);
    const Clip clip(ui.paint(), placed.canvas().above_buttons());
    placed.draw_frames();
    draw_graph_edges(scene, ui, placed, drawing, kept);
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
      draw_graph_node(scene, ui, placed, i, drawing.nodes[i], kept);
    draw_group_names(ui, placed, drawing, area);
    fly_to_found(ui, placed, drawing);
    draw_minimap(ui, placed, drawing, area);
  }
  if (drawn->graph_with_inputs.nodes.size() == drawn->graph.nodes.size()) return;
  if (ui.button("inputs", "inputs", {area.right() - 160, area.bottom() - 34, 60, 24}, false, kept.inputs))
    kept.inputs = !kept.inputs;
}

}  // namespace

const View graph_view = {"graph", "Graph", "stage", graph_subtitle, draw_graph, "show graph"};

}  // namespace trellis::gui
