// The lattice of a loop: a box for each point with its cases, edges where an operand runs out.
#include <algorithm>
#include <cmath>

#include "engine/text/fit.hpp"
#include "gui/minimap.hpp"
#include "gui/operands.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using coiterate::Lattice;
using coiterate::NumberedLattice;

struct LatticeKept {
  int number = -1;  ///< that is shown
  const explore::LatticeStep* followed = nullptr;
  int point = -2;  ///< that was now when the view last moved
};

std::string lattice_subtitle(const Scene& scene) {
  const explore::LatticeStep* step = lattice_step(scene);
  if (!scene.drawn() || scene.drawn()->lattices.empty()) return "";
  return step ? "the point that glows is where the loop is" : "points drop as operands run out";
}

/// A lattice as it is drawn, with all that its parts need.
struct LatticeShown {
  const Scene& scene;
  Ui& ui;
  const NumberedLattice& one;
  const PlacedDrawing& placed;
  const explore::LatticeStep* step;  ///< in this lattice, or null
  std::vector<int> walked;
  std::vector<std::string> names;

  /// Where the loop is: behind an edge that has just been taken; -1: it has ended; -2: it is not under way.
  int point_now() const { return !step ? -2 : step->runs_out ? step->to : step->point; }
  /// The operand that makes the condition of that point fail now; -1: it holds, or something else does.
  int failed_at(int p) const { return step && step->runs_out && step->point == p ? *step->runs_out : -1; }
};

Mark mark_of(const Lattice::Point& point, const coiterate::Outcome& outcome, int operand) {
  const auto in = [operand](const std::vector<int>& list) { return std::ranges::find(list, operand) != list.end(); };
  if (in(outcome.present)) return Mark::there;
  if (in(outcome.absent)) return Mark::absent;
  if (in(point.gone)) return Mark::gone;
  if (!point.by_cases && in(point.leads) && point.leads.size() == 1) return Mark::there;
  return in(point.leads) || in(point.follows) ? Mark::any : Mark::gone;
}

void draw_case(const LatticeShown& l, int p, int k, const coiterate::Outcome& outcome, const std::string& body,
               Rect row) {
  Ui& ui = l.ui;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Lattice::Point& point = l.one.lattice->points[static_cast<std::size_t>(p)];
  const bool now = l.step && !l.scene.predict && !l.step->runs_out && l.step->point == p && l.step->which == k;
  const text::NodeId id{text::Stage::lattice, l.one.outcome_id(p, k)};
  ui.item("case:" + std::to_string(p) + ":" + std::to_string(k), "row", body, now ? "now" : "", row);
  ui.nodes({id, {text::Stage::lattice, l.one.point_id(p)}}, row);
  if (now) paint.fill(row.inset(1, 0), t(Token::accent), 4);
  else if (ui.glow(id) != Ui::Glow::none) paint.fill(row.inset(1, 0), t.fill(Token::kin, t.kin_fill), 4);
  const float zoom = l.placed.zoom();
  float x = row.x + 14 * zoom;
  for (const int operand : l.walked) {
    const Mark mark = mark_of(point, outcome, operand);
    const Colour hue = now ? t(Token::on_accent)
                       : mark == Mark::gone || mark == Mark::any
                           ? t(Token::faint)
                           : colour_of_operand(l.scene, t, *l.one.lattice, operand);
    draw_mark(paint, {std::round(x), row.centre().y}, std::max(2.F, 4.6F * zoom), mark, leads(*l.one.lattice, operand),
              hue);
    x += 16 * zoom;
  }
  const Font font = l.placed.canvas().font();
  const Point at{std::round(x + 2 * zoom), std::round(row.centre().y - paint.height(font) / 2)};
  if (!l.placed.canvas().legible()) return;
  if (now) paint.text(at, body, font, t(Token::on_accent));
  else if (body == "nothing") paint.text(at, body, font, t(Token::faint));
  else paint_line(paint, t, at, body, Colouring::program, &l.scene, font);
}

void draw_point(const LatticeShown& l, int p, std::size_t node, const view::Drawing::Node& drawn) {
  Ui& ui = l.ui;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Rect box = l.placed.box(node);
  if (!box.inset(-12).meets(paint.clipped())) return;
  const Lattice::Point& point = l.one.lattice->points[static_cast<std::size_t>(p)];
  const bool now = l.point_now() == p;
  const int failed = l.failed_at(p);
  const text::NodeId id{text::Stage::lattice, drawn.id};
  const Ui::Glow glow = ui.glow(id);
  const std::string fails = failed < 0 ? "" : l.names[static_cast<std::size_t>(failed)] + " is at its end";
  ui.item("point:" + std::to_string(p), "node", drawn.lines.front(), now ? "now" : fails, box);
  ui.node(id, box);
  if (now)
    for (const float out : {7.F, 4.5F, 2.F}) paint.fill(box.inset(-out), t.fill(Token::accent, 0.12F), 7 + out);
  paint.fill(box, t(Token::raised), 7);
  if (now) paint.fill(box, t.fill(Token::accent, t.light ? 0.12F : 0.22F), 7);
  if (glow != Ui::Glow::none) paint.fill(box, t.fill(Token::kin, t.kin_fill), 7);
  paint.outline(box, t(glow != Ui::Glow::none ? Token::kin : now ? Token::accent : Token::line2), now ? 2 : 1, 7);

  const float zoom = l.placed.zoom(), row = 30 * zoom;
  Rect rest = box.inset(2, 0);
  const Rect head = rest.take_top(row);
  const Font font = l.placed.canvas().font();
  if (l.placed.canvas().legible())
    paint_with_operands(l.scene, paint, t,
                        {std::round(head.x + 9 * zoom), std::round(head.centre().y - paint.height(font) / 2)},
                        drawn.lines.front(), *l.one.lattice, font, t(Token::ink), failed);
  paint.line({box.x + 1, head.bottom()}, {box.right() - 1, head.bottom()}, t(now ? Token::accent : Token::line), 1);
  rest.take_top(2 * zoom);
  const std::vector<coiterate::Outcome> outcomes = coiterate::outcomes(point);
  for (std::size_t k = 0; k < outcomes.size() && k + 1 < drawn.lines.size(); ++k)
    draw_case(l, p, static_cast<int>(k), outcomes[k], drawn.lines[k + 1], rest.take_top(row).inset(0, 0.5F));
}

void draw_lattice_end(const LatticeShown& l, std::size_t node) {
  const Theme& t = l.ui.theme();
  const Rect box = l.placed.box(node);
  const bool now = l.point_now() == -1;
  const Point at = box.centre();
  const float radius = std::max(4.F, 8 * l.placed.zoom());
  Paint& paint = l.ui.paint();
  if (now) paint.disc(at, radius + 5, t.fill(Token::accent, 0.25F));
  paint.disc(at, radius, t(Token::pane));
  paint.ring(at, radius, t(now ? Token::accent : Token::edge), now ? 2 : 1.2F);
  paint.disc(at, radius * 0.4F, t(now ? Token::accent : Token::soft));
  l.ui.item("point:end", "node", "the loop ends", now ? "now" : "", box);
}

void draw_lattice_edges(const LatticeShown& l, const view::Drawing& drawing) {
  Paint& paint = l.ui.paint();
  const Theme& t = l.ui.theme();
  const auto is_taken = [&](const view::Drawing::Edge& edge) {
    return l.step && l.step->runs_out && edge.from == l.one.point_id(l.step->point) &&
           edge.to == l.one.point_id(l.step->to);
  };
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
    const view::Drawing::Edge& edge = drawing.edges[e];
    const bool taken = is_taken(edge);
    l.placed.draw_edge(e, {.colour = t(taken ? Token::accent : Token::edge),
                           .thickness = taken ? 3.F : 1.2F,
                           .halo = taken ? t.fill(Token::accent, 0.2F) : 0});
    if (edge.label.empty()) continue;
    const Point at = l.placed.label(e);
    const float wide = paint.width(edge.label, Font::small);
    const Rect area{std::round(at.x - wide / 2), std::round(at.y - 8), wide, 16};
    l.ui.label("edge:" + std::to_string(e), edge.label, area, taken ? "now" : "");
    if (l.placed.zoom() < 0.4F) continue;
    paint.fill(area.inset(-3, 0), faded(t(Token::pane), 0.85F), 4);
    paint.text_in(area, edge.label, Font::small, t(taken ? Token::accent : Token::soft));
  }
}

/// The view goes along where not all of the lattice can be seen.
void follow_point(const LatticeShown& l, PlacedDrawing& placed, const view::Drawing& drawing, int& followed) {
  if (l.point_now() == followed) return;
  followed = l.point_now();
  const auto node = std::ranges::find(drawing.nodes, l.one.point_id(followed), &view::Drawing::Node::id);
  if (followed > -2 && placed.canvas().cut_off() && node != drawing.nodes.end())
    placed.canvas().show(rect_of(node->box));
}

/// Loops to choose from, and beside them what each operand does in the one that is shown.
Rect draw_lattice_bar(const Scene& scene, Ui& ui, Rect bar, const std::vector<const NumberedLattice*>& all,
                      const NumberedLattice& one, int& chosen) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::vector<std::string> names = coiterate::brief_names(*one.lattice);
  const std::vector<int> walked = walked_operands(*one.lattice);
  float roles = 0;
  const auto role_of = [&](int operand) { return leads(*one.lattice, operand) ? " leads" : " follows"; };
  for (const int operand : walked)
    roles += paint.width(names[static_cast<std::size_t>(operand)], Font::list_mono) +
             paint.width(role_of(operand), Font::text) + 14;
  if (roles < bar.w * 0.6F) {
    float x = bar.right() - roles + 14 - 14;
    for (const int operand : walked) {
      x += paint.text({x, bar.y + 3}, names[static_cast<std::size_t>(operand)], Font::list_mono,
                      colour_of_operand(scene, t, *one.lattice, operand));
      x += paint.text({x, bar.y + 3}, role_of(operand), Font::text, t(Token::faint)) + 14;
    }
    bar.take_right(roles + 8);
  }
  float x = bar.x + 14;
  for (const NumberedLattice* each : all) {
    const std::string head = coiterate::head(*each->lattice), where = coiterate::where_missing(*each);
    const std::string words = where.empty() ? head : head + "  " + where;
    const float width = std::min(paint.width(words, Font::list_mono) + 14, std::max(40.F, bar.right() - x));
    if (x + 40 > bar.right()) break;
    const Rect chip{x, bar.y, width, 22};
    const bool is_chosen = each->number == one.number;
    const Response response =
        ui.item("lattice:" + std::to_string(each->number), "choice", words, is_chosen ? "chosen" : "", chip);
    if (is_chosen || response.hovered) paint.fill(chip, t(Token::hover), 5);
    if (is_chosen) paint.outline(chip, t(Token::line2), 1, 5);
    paint.text_in(chip.inset(7, 0), words, Font::list_mono, t(is_chosen ? Token::ink : Token::soft));
    if (response.clicked) chosen = each->number;
    if (response.hovered) ui.tooltip(words);
    x += width + 4;
  }
  return bar;
}

void draw_lattice(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn || !drawn->compiled) {
    if (scene.legal() == false)
      return draw_nothing(ui, area, "an illegal order has no lattices", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  }
  std::vector<const NumberedLattice*> all;
  for (const view::LatticeDrawing& each : drawn->lattices)
    for (const NumberedLattice& one : drawn->compiled->lattices)
      if (one.number == each.lattice) all.push_back(&one);
  if (all.empty()) {
    const auto& scans = drawn->compiled->compilation.scans;
    return draw_nothing(
        ui, area, "no loop of this kernel walks what is stored",
        scans.empty() ? "give an operand a sparse format: format A csr" : session::in_words(scans.front()));
  }

  auto& kept = ui.memory<LatticeKept>("kept");
  const explore::LatticeStep* step = lattice_step(scene);
  if (step != kept.followed) {
    kept.followed = step;
    if (step) kept.number = step->lattice;
  }
  auto shown = std::ranges::find(all, kept.number, [](const NumberedLattice* one) { return one->number; });
  if (shown == all.end())
    shown = std::ranges::find_if(all, [](const NumberedLattice* one) { return one->lattice->walks(); });
  if (shown == all.end()) shown = all.begin();
  if (ui.key("Down") && shown + 1 != all.end()) ++shown;
  if (ui.key("Up") && shown != all.begin()) --shown;
  kept.number = (*shown)->number;
  const NumberedLattice& one = **shown;
  draw_lattice_bar(scene, ui, area.take_top(26), all, one, kept.number);

  if (const auto notes = drawn->compiled->finds.find(one.number); notes != drawn->compiled->finds.end())
    draw_find_notes(ui, notes->second, area);
  const auto drawing = std::ranges::find(drawn->lattices, one.number, &view::LatticeDrawing::lattice);
  PlacedDrawing placed(ui, "lattice", area, scene.kernel->drawn, drawing->drawing);
  const Clip clip(ui.paint(), placed.canvas().above_buttons());
  const LatticeShown l{scene,
                       ui,
                       one,
                       placed,
                       step && step->lattice == one.number ? step : nullptr,
                       walked_operands(*one.lattice),
                       coiterate::brief_names(*one.lattice)};
  follow_point(l, placed, drawing->drawing, kept.point);
  draw_lattice_edges(l, drawing->drawing);
  for (std::size_t node = 0; node < drawing->drawing.nodes.size(); ++node) {
    if (drawing->drawing.nodes[node].kind == view::Drawing::Kind::end) draw_lattice_end(l, node);
    else draw_point(l, drawing->drawing.nodes[node].id - one.id - 1, node, drawing->drawing.nodes[node]);
  }
  draw_minimap(ui, placed, drawing->drawing, area);
}

}  // namespace

const View lattice_view = {"lattice", "Lattice", "stage", lattice_subtitle, draw_lattice, "show lattice", "lattice"};

}  // namespace trellis::gui
