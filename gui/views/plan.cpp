// What a kernel runs as, beside what else was looked at; and what lazy arrays would make of its equations: queries as
// boxes, on the arrows how much is stored; the chosen plan beside the one that came second, and what would change the
// choice.
#include <algorithm>
#include <cmath>

#include "engine/session/figures.hpp"
#include "gui/drawing_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using session::PlanPicture;
using Kind = view::Drawing::Kind;

constexpr float plan_line = 18;

std::string plan_subtitle(const Scene& scene) {
  const PlanPicture* plan = scene.kernel ? scene.kernel->plan.get() : nullptr;
  if (!plan || !plan->refused.empty()) return "";
  return lazy::estimate_of(plan->of.why.chosen);
}

void draw_query(Ui& ui, const std::string& way, const PlacedDrawing& placed, const view::Drawing::Node& node,
                std::size_t place) {
  const Rect box = placed.box(place);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  if (!box.inset(-8).meets(paint.clipped())) return;
  const char* kind = node.kind == Kind::input ? "operand" : node.kind == Kind::temporary ? "kept" : "result";
  std::string words;
  for (const std::string& line : node.lines) words += (words.empty() ? "" : "; ") + line;
  const bool hovered = ui.item(way + ":" + std::to_string(node.id), "node", words, kind, box).hovered;
  const float radius = placed.zoom() > 0.4F ? 7 : 0;
  paint.fill(box, t(node.kind == Kind::input ? Token::raised : Token::pane), radius);
  if (node.kind == Kind::result) paint.fill(box, t.fill(Token::accent, t.light ? 0.14F : 0.22F), radius);
  if (hovered) paint.fill(box, t.fill(Token::ink, 0.06F), radius);
  paint.outline(box, t(Token::edge), 1, radius);
  if (hovered && !placed.canvas().legible()) ui.tooltip(words);
  if (!placed.canvas().legible()) return;
  Rect rest = box.inset(9 * placed.zoom(), 4 * placed.zoom());
  const float step = rest.h / static_cast<float>(node.lines.size());
  for (std::size_t k = 0; k < node.lines.size(); ++k)
    paint.text_in(rest.take_top(step), node.lines[k], placed.canvas().font(), t(k == 0 ? Token::ink : Token::soft));
}

void draw_way(Ui& ui, const Scene& scene, const char* name, const lazy::Why::Way& way, const view::Drawing& drawing,
              Rect area) {
  const std::string caption = std::string(name) + ", " + lazy::estimate_of(way);
  const Rect head = area.take_top(plan_line);
  ui.paint().text_in(head, caption, Font::strong, ui.theme()(Token::ink));
  ui.label(name, caption + ": " + way.outline, head);
  const PlacedDrawing placed(ui, name, area, scene.kernel->plan, drawing);
  const Clip clip(ui.paint(), placed.canvas().above_buttons());
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
    placed.draw_edge(e, {.colour = ui.theme()(Token::edge)});
    if (!placed.canvas().legible()) continue;
    const std::string& label = drawing.edges[e].label;
    const Point at = placed.label(e);
    const float width = ui.paint().width(label, placed.canvas().font()), height = 16 * placed.zoom();
    ui.paint().text_in({at.x - width / 2, at.y - height / 2, width, height}, label, placed.canvas().font(),
                       ui.theme()(Token::faint));
  }
  for (std::size_t k = 0; k < drawing.nodes.size(); ++k) draw_query(ui, name, placed, drawing.nodes[k], k);
}

/// What the kernel runs as: a row for each way that was looked at, with a bar as long as its time is, taken off `area`.
void draw_ways(Ui& ui, const session::PlanChoice& choice, Rect& area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string head = !choice.as_written.empty() ? "runs as it is written: " + choice.as_written
                           : choice.measured_ms
                               ? "last run " + session::duration(*choice.measured_ms) + ", " + choice.backend
                               : "estimated, the chosen way first";
  const Rect title = area.take_top(plan_line);
  paint.text_in(title, head, Font::small, t(Token::soft));
  ui.label("choice", head, title);
  double most = 0;
  for (const auto& way : choice.ways) most = std::max(most, way.ms);
  const auto rows = std::min<std::size_t>(choice.ways.size(), static_cast<std::size_t>(area.h / 3 / plan_line));
  for (std::size_t k = 0; k < rows; ++k) {
    const auto& way = choice.ways[k];
    const Rect line = area.take_top(plan_line);
    Rect row = line;
    Rect bar = row.take_right(std::floor(row.w / 4)).inset(4, 5);
    bar.w = std::max(2.F, bar.w * static_cast<float>(way.ms / most));
    paint.fill(bar, t(k == 0 ? Token::accent : Token::edge), 2);
    const std::string time = session::duration(way.ms);
    paint.text_in(row.take_right(80), time, Font::small, t(Token::soft));
    paint.text_in(row, way.what, k == 0 ? Font::strong : Font::small, t(k == 0 ? Token::ink : Token::soft));
    ui.label("way:" + std::to_string(k), way.what + ", " + time, line);
  }
  area.take_top(6);
}

/// What would change the choice, and what was done before; the first so many lines.
void draw_remarks(Ui& ui, const std::vector<std::string>& remarks, Rect area) {
  for (std::size_t k = 0; k < remarks.size() && area.h >= plan_line; ++k) {
    const Rect line = area.take_top(plan_line);
    ui.paint().text_in(line, remarks[k], Font::small, ui.theme()(Token::soft));
    ui.label("remark:" + std::to_string(k), remarks[k], line);
  }
}

void draw_plan(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel) return draw_nothing(ui, area, "there is no kernel yet");
  if (!scene.kernel->plan) return draw_nothing(ui, area, "the plan is not known yet");
  const PlanPicture& plan = *scene.kernel->plan;
  Rect rest = area.inset(12, 4);
  draw_ways(ui, plan.choice, rest);
  if (!plan.refused.empty()) return draw_nothing(ui, rest, "its equations are no queries of lazy arrays", plan.refused);
  std::vector<std::string> remarks = plan.choice.flips;
  for (const std::string& remark : lazy::remarks_of(plan.of.why)) remarks.push_back(remark);
  for (const std::string& name : plan.of.unfilled) remarks.push_back(name + " holds nothing yet and counts as full");
  const float most = std::floor(rest.h / 3);
  draw_remarks(ui, remarks, rest.take_bottom(std::min(most, static_cast<float>(remarks.size()) * plan_line + 4)));
  if (plan.of.why.second) {
    const bool beside = rest.w > rest.h;
    const Rect second = beside ? rest.take_right(std::floor(rest.w / 2)) : rest.take_bottom(std::floor(rest.h / 2));
    draw_way(ui, scene, "second", *plan.of.why.second, plan.second, second.inset(beside ? 6.F : 0.F, 0));
  }
  draw_way(ui, scene, "chosen", plan.of.why.chosen, plan.chosen, rest);
}

}  // namespace

const View plan_view = {"plan", "Plan", "schedule", plan_subtitle, draw_plan, "plan why"};

}  // namespace trellis::gui
