#include "gui/bars.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/icons.hpp"
#include "gui/shortcuts.hpp"
#include "gui/sides.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {

void draw_stepper(App& app, Ui& ui, const std::string& replay, char side, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::size_t at = app.replays.steps(side).of(replay);
  const std::string where = std::to_string(at), of = " / " + std::to_string(app.replays.length(replay, side));
  const auto button = [&](const char* id, Icon icon, bool strong = false, const char* label = nullptr) {
    const Command& does = action(id);
    if (icon_button(ui, id,
                    {.icon = icon,
                     .label = label ? label : does.title,
                     .chord = chord_of(does, app.settings),
                     .strong = strong,
                     .size = strong ? 13.F : 11.F},
                    area.take_left(strong ? 26.F : 24.F)))
      ui.act(does.text + (" " + replay));
    area.take_left(4);
  };
  button("first", Icon::event_back);
  button("back", Icon::back);
  button("play", app.replays.playing ? Icon::pause : Icon::play, true, app.replays.playing ? "Stop" : "Play");
  button("step", Icon::step);
  button("last", Icon::event_forth);
  area.take_left(8);
  ui.label("where", where + of, area);
  const float wide = paint.width(where, Font::list_mono);
  paint.text_in(area.take_left(std::min(wide, area.w)), where, Font::list_mono, t(Token::ink));
  paint.text_in(area, of, Font::list_mono, t(Token::faint));
}

namespace {

/// Which side of a comparison the pane shows, and, where it is stepped, whether that one leads; the result is how wide.
float draw_side_tag(Ui& ui, const Scene& scene, bool stepped, Point at) {
  const bool leads = stepped && scene.stepped_side == scene.side;
  const std::string words = std::string(1, scene.side) + (leads ? " leads" : "");
  const Rect tag = ui.tag(at, words, side_colour(ui.theme(), scene.side), Font::small);
  ui.label("side", words, tag, leads ? "leads" : "");
  return tag.w;
}

}  // namespace

void draw_pane_header(App& app, Ui& ui, const Placed& placed, Rect area, const Scene& scene) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string& pane = placed.tabs[placed.active];
  Rect rest = area.inset(14, 0);
  const View& view = *find_view(pane);
  // One stepper is enough for all that replay the same; the timeline has it where it stands.
  const auto& visible = app.panes.visible();
  const bool elsewhere = view.replay == std::string_view("execution") &&
                         std::ranges::find(visible, scene.side == 'B' ? "timeline:B" : "timeline") != visible.end();
  if (*view.replay && area.w > 420 && !view.draw_header && !elsewhere) {
    const Rect stepper = rest.take_right(250);
    draw_stepper(app, ui, view.replay, scene.side, {stepper.x, stepper.y + 4, stepper.w, 24});
  }
  draw_tabs(app, ui, placed, rest);
  if (scene.side == 'B' || !app.panes.twin_of(pane).empty())
    rest.take_left(draw_side_tag(ui, scene, view.draw_header && *view.replay, {rest.x, rest.y + 6}) + 6);
  if (view.draw_header) {
    if (*view.replay) {
      const Rect stepper = rest.take_left(std::min(rest.w, 226.F));
      draw_stepper(app, ui, view.replay, scene.side, {stepper.x, stepper.y + 4, stepper.w, 24});
      rest.take_left(10);
    }
    if (rest.w > 40) view.draw_header(scene, ui, rest);
    return;
  }
  const std::string subtitle = view.subtitle ? view.subtitle(scene) : "";
  if (!subtitle.empty()) {
    paint.text_in(rest, subtitle, Font::text, t(Token::faint));
    ui.label("subtitle", subtitle, rest);
  }
}

void draw_status_bar(App& app, Ui& ui, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  Rect rest = area.inset(14, 0);
  const Scene scene = app.scene();
  if (const auto to_c = app.document().last_to_c()) {
    char text[48];
    std::snprintf(text, sizeof text, "to C %.1f ms", *to_c);
    paint.text_in(rest.take_right(120), text, Font::small_mono, t(Token::faint), Align::right);
  }
  if (scene.running_for && *scene.running_for > 0.25) {
    const session::Progress p = scene.progress.value_or(session::Progress{"under way", 0, 0, ""});
    const Rect spot = rest.take_right(320);
    const std::string words = to_string(p) + "   Esc ends it";
    paint.text_in(spot, words, Font::small, t(Token::soft), Align::right);
    if (p.of > 0)
      paint.fill({spot.x, spot.bottom() - 3, spot.w * static_cast<float>(p.number) / static_cast<float>(p.of), 2},
                 t(Token::accent), 1);
    ui.label("progress", words, spot);
  }
  std::string words;
  for (const auto& [stage, count] : app.kin_count)
    words += std::string(text::name_of(stage)) + " " + std::to_string(count) + "   ";
  if (!app.selected.pins().empty()) {
    ui.tag({rest.x + paint.width(words, Font::small) + 8, rest.y + 3}, "pinned · Esc lets go", t(Token::kin),
           Font::small);
  } else if (words.empty()) {
    words =
        "hover: what belongs together lights up   ·   click: pin   ·   ← → step   ·   Shift ← → violation   ·   "
        "Space play   ·   F1 help";
  }
  paint.text_in(rest, words, Font::small, t(Token::faint));
  ui.label("status", words, rest);
}

void draw_tooltip(Ui& ui, Rect window) {
  const std::string& text = ui.pending_tooltip();
  if (text.empty()) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float width = std::min(360.F, paint.width(text, Font::text) + 1);
  const float height = paint.paragraph_height(width, text, Font::text);
  Rect box{ui.input().mouse.x + 14, ui.input().mouse.y + 16, width + 20, height + 14};
  box.x = std::min(box.x, window.right() - box.w - 4);
  if (box.bottom() > window.bottom()) box.y = ui.input().mouse.y - box.h - 8;
  paint.fill(box, t(Token::raised), 6);
  paint.outline(box, t(Token::line2), 1, 6);
  paint.paragraph(box.inset(10, 7), text, Font::text, t(Token::ink));
}

}  // namespace trellis::gui
