// Any stage as text, or as a tree; what a step changes.
#include <algorithm>
#include <cmath>

#include "engine/text/fit.hpp"
#include "gui/diff_view.hpp"
#include "gui/drawing_view.hpp"
#include "gui/running.hpp"
#include "gui/text_view.hpp"
#include "gui/views/stages_list.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

struct StagesKept {
  std::shared_ptr<const session::DrawnView> of;
  std::vector<StageState> states;
  std::string chosen = "loops";
  std::string against;  ///< that changes are shown since; empty: the state before
  int passes = 0;
  bool changes = false, tree = false;
};

std::string stages_subtitle(const Scene& scene) {
  if (!scene.drawn()) return "";
  return scene.legal() == false ? "as far as an illegal order gets" : "from equations to C";
}

/// Chips, in as many rows as they need; what is left of the area is below them. The result is the room behind the last.
Rect draw_stage_chips(Ui& ui, Rect& area, StagesKept& kept) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  constexpr float height = 22, gap = 2;
  float x = area.x + 8, y = area.y + 2;
  for (const StageState& state : kept.states) {
    const bool step = state.id.find('.') != std::string::npos;
    const Font font = step ? Font::small_mono : Font::text;
    const float width = paint.width(state.title, font) + 14;
    if (x + width > area.right() - 8 && x > area.x + 8) x = area.x + 8, y += height + gap;
    const Rect chip{x, y, std::min(width, area.w - 16), height};
    const bool chosen = kept.chosen == state.id, there = !state.text->characters.empty();
    const Response response = ui.item("stage:" + state.id, "choice", state.title,
                                      chosen  ? "chosen"
                                      : there ? ""
                                              : "not reached",
                                      chip);
    if (chosen || response.hovered) paint.fill(chip, t(Token::hover), 5);
    if (chosen) paint.outline(chip, t(Token::line2), 1, 5);
    paint.text_in(chip.inset(7, 0), state.title, font, t(chosen ? Token::ink : there ? Token::soft : Token::line2));
    if (kept.against == state.id && kept.changes) paint.dashed(chip, t(Token::index4), 1.2F, 5);
    if (response.clicked && ui.input().shift) kept.against = state.id, kept.changes = true;
    else if (response.clicked) kept.chosen = state.id;
    if (response.hovered && !chosen) ui.tooltip(state.title + "\nShift+click: changes since then");
    x += width + gap;
  }
  area.take_top(y + height + 4 - area.y);
  return {x + 8, y, area.right() - 10 - x - 8, height};
}

/// Boxes of lines, from the root down, with what leads to them.
void draw_stage_tree(const Scene& scene, Ui& ui, const StageState& state, Rect area) {
  const PlacedDrawing placed(ui, "tree of " + state.id, area, scene.kernel->drawn, *state.drawing);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const view::Drawing& drawing = *state.drawing;
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
    placed.draw_edge(e, {.colour = t(Token::edge)});
    if (drawing.edges[e].label.empty() || placed.zoom() < 0.4F) continue;
    const Point at = placed.label(e);
    const float wide = paint.width(drawing.edges[e].label, Font::small);
    const Rect label{std::round(at.x - wide / 2), std::round(at.y - 8), wide, 16};
    paint.fill(label.inset(-3, 0), t(Token::pane), 3);
    paint.text_in(label, drawing.edges[e].label, Font::small, t(Token::soft));
  }
  const Font font = placed.canvas().font();
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    const Rect box = placed.box(i);
    if (!box.meets(area)) continue;
    ui.item("step:" + std::to_string(drawing.nodes[i].id), "node", name_of(drawing.nodes[i]), "", box);
    paint.fill(box, t(Token::raised), 6);
    paint.outline(box, t(Token::line2), 1, 6);
    if (!placed.canvas().legible()) continue;
    for (std::size_t l = 0; l < drawing.nodes[i].lines.size(); ++l) {
      const float y = box.y + (4.5F + 20 * static_cast<float>(l)) * placed.zoom();
      paint_line(paint, t,
                 {std::round(box.x + 9 * placed.zoom()), std::round(y + (20 * placed.zoom() - paint.height(font)) / 2)},
                 drawing.nodes[i].lines[l], Colouring::program, &scene, font);
    }
  }
}

/// Text or tree, and whether what has changed is shown.
void draw_stage_switches(Ui& ui, StagesKept& kept, const StageState& state, const StageState* before, Rect behind,
                         Rect& area) {
  if (!before && !state.drawing) return;
  const std::string changes = before ? "changes since " + before->title : "";
  const float wanted =
      (before ? std::min(ui.paint().width(changes, Font::text) + 20, area.w * 0.7F) : 0) + (state.drawing ? 56 : 0);
  Rect row =
      behind.w >= wanted ? Rect{behind.right() - wanted, behind.y, wanted, behind.h} : area.take_top(26).inset(8, 2);
  if (state.drawing &&
      ui.button("tree", "tree", behind.w >= wanted ? row.take_right(50) : row.take_left(50), false, kept.tree))
    kept.tree = !kept.tree;
  behind.w >= wanted ? row.take_right(6) : row.take_left(state.drawing ? 6 : 0);
  if (before &&
      ui.button("changes", changes, row.take_left(std::min(row.w, ui.paint().width(changes, Font::text) + 20)), false,
                kept.changes))
    kept.changes = !kept.changes;
}

void draw_stages(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.drawn())
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  auto& kept = ui.memory<StagesKept>("kept");
  if (kept.of != scene.kernel->drawn) kept.of = scene.kernel->drawn, kept.states = stage_states(scene);
  auto at = std::ranges::find(kept.states, kept.chosen, &StageState::id);
  if (at == kept.states.end()) at = std::ranges::find(kept.states, "loops", &StageState::id);
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(kept.states.size()) - 1;
  at = kept.states.begin() + std::clamp<std::ptrdiff_t>(at - kept.states.begin() + scene.passes - kept.passes, 0, last);
  kept.passes = scene.passes;
  kept.chosen = at->id;
  const Rect behind = draw_stage_chips(ui, area, kept);
  at = std::ranges::find(kept.states, kept.chosen, &StageState::id);

  const auto against = std::ranges::find(kept.states, kept.against, &StageState::id);
  const StageState* before = against != kept.states.end() && against != at ? &*against
                             : at == kept.states.begin()                   ? nullptr
                                                                           : &*(at - 1);
  if (before && before->text->characters.empty()) before = nullptr;
  draw_stage_switches(ui, kept, *at, before, behind, area);
  if (at->text->characters.empty())
    return draw_nothing(
        ui, area,
        scene.legal() == false ? "an illegal order does not get as far as this" : "there is nothing of this stage",
        scene.legal() == false ? "a fix makes it legal: Ctrl+." : "");
  const Colouring colouring = at->stage == text::Stage::c ? Colouring::c : Colouring::program;
  if (kept.changes && before)
    return draw_diff(scene, ui, "changes of " + at->id, before->text->characters, at->text->characters, area,
                     colouring);
  if (kept.tree && at->drawing) return draw_stage_tree(scene, ui, *at, area);
  TextOptions options{.colouring = colouring};
  options.current = running_nodes(scene, ui, at->stage, *at->text);
  options.heads = at->stage > text::Stage::lattice && at_condition(scene, ui);
  draw_text(scene, ui, "text of " + at->id, *at->text, area, options);
}

}  // namespace

const View stages_view = {"stages", "Stages", "stage", stages_subtitle, draw_stages, "show loops"};

}  // namespace trellis::gui
