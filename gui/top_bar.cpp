#include "gui/bars.hpp"

#include <algorithm>
#include <cmath>

#include "gui/icons.hpp"
#include "gui/order_words.hpp"
#include "gui/shortcuts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float run_width = 92, bar_gap = 8, wide_gap = 14, icon_width = 32;

void draw_logo(Paint& paint, const Theme& t, Point at) {
  for (int i = 0; i < 3; ++i) {
    const float x = at.x + static_cast<float>(i) * 7;
    paint.line({x, at.y}, {x + 8, at.y + 18}, t(i == 1 ? Token::accent : Token::index3), 2);
    paint.line({x + 8, at.y}, {x, at.y + 18}, t(i == 1 ? Token::index2 : Token::accent), 2);
  }
}

/// A row of choices of which one is chosen; each asks for its command.
struct Choice {
  std::string id, label, command;
  bool chosen = false;
};

float width_of(const Paint& paint, const std::vector<Choice>& choices) {
  float width = 4;
  for (const Choice& one : choices) width += paint.width(one.label, Font::text) + 20;
  return width;
}

void draw_choices(Ui& ui, Rect area, const std::vector<Choice>& choices) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  paint.fill(area, t(Token::raised), 6);
  float x = area.x + 2;
  for (const Choice& one : choices) {
    const Rect spot{x, area.y + 2, paint.width(one.label, Font::text) + 20, area.h - 4};
    const Response response = ui.item(one.id, "choice", one.label, one.chosen ? "chosen" : "", spot);
    if (one.chosen) paint.fill(spot, t(Token::hover), 5), paint.outline(spot, t(Token::line2), 1, 5);
    else if (response.hovered) paint.fill(spot, t(Token::hover), 5);
    paint.text_in(spot, one.label, Font::text, t(one.chosen || response.hovered ? Token::ink : Token::soft),
                  Align::centre);
    if (response.clicked) ui.act(one.command);
    x += spot.w;
  }
}

/// What opens a list: its present choice, and a chevron.
void draw_menu(Ui& ui, const std::string& id, const std::string& label, const std::string& command, Rect area,
               Font font = Font::text) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response response = ui.item(id, "button", label, "", area);
  if (font == Font::text || response.hovered) paint.fill(area, t(response.hovered ? Token::hover : Token::raised), 6);
  Rect inner = area.inset(10, 0);
  draw_icon(paint, Icon::chevron, {inner.right() - 5, inner.centre().y + 1}, 10,
            t(response.hovered ? Token::ink : Token::faint));
  inner.take_right(16);
  paint.text_in(inner, label, font, t(Token::ink));
  if (response.clicked) ui.act(command);
}
float menu_width(const Paint& paint, const std::string& label, Font font = Font::text) {
  return std::round(paint.width(label, font)) + 38;
}

using Judged = session::KernelVerdict::Kind;
struct Badge {
  Verdict icon = Verdict::unknown;
  Token token = Token::faint;
  std::string words;
};
Badge badge_of(const Scene& scene) {
  if (scene.predict) return {Verdict::unknown, Token::faint, "what do you say?"};
  if (!scene.kernel) {
    const bool wrong = !scene.snapshot->accepted && !scene.messages->empty();
    if (wrong) return {verdict_icon(Judged::wrong), verdict_token(Judged::wrong), "wrong"};
    return {Verdict::unknown, Token::faint, scene.busy ? "working" : "no program"};
  }
  const session::KernelVerdict verdict = session::verdict_of_program(*scene.snapshot, *scene.kernel);
  return {verdict_icon(verdict.kind), verdict_token(verdict.kind), verdict.words};
}

void draw_badge(Ui& ui, Rect pill, const Badge& badge, bool with_words) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  paint.fill(pill, t.fill(badge.token, t.verdict_fill), pill.h / 2);
  paint.verdict({pill.x + 14, pill.y + 11}, badge.icon, t, 6.5F);
  if (with_words) paint.text_in({pill.x + 26, pill.y, pill.w, pill.h}, badge.words, Font::strong, t(badge.token));
  const Response response = ui.item("verdict", "button", badge.words, badge.words, pill);
  if (response.hovered && !with_words) ui.tooltip(badge.words);
  if (response.clicked) ui.act("window pane explain");
}

void draw_search(App& app, Ui& ui, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Command& palette = action("palette");
  const std::string words = palette.title;
  const Response response = ui.item("search", "button", words, "", area);
  paint.fill(area, t(response.hovered ? Token::hover : Token::raised), 6);
  const bool wide = area.w > 60;
  draw_icon(paint, Icon::search, {wide ? area.x + 17 : area.centre().x, area.centre().y}, 14,
            t(response.hovered ? Token::ink : Token::soft));
  if (wide) {
    const float chord = draw_chord(paint, t, area.inset(7, 0), chord_of(palette, app.settings));
    if (area.w > chord + 90)
      paint.text_in({area.x + 32, area.y, area.w - chord - 48, area.h}, words, Font::text, t(Token::faint));
  } else if (response.hovered) {
    ui.tooltip(words);
  }
  if (response.clicked) ui.act(palette.text);
}

/// "3 s", "2:07".
std::string seconds_words(double seconds) {
  const int whole = static_cast<int>(seconds);
  if (whole < 60) return std::to_string(whole) + " s";
  return std::to_string(whole / 60) + (whole % 60 < 10 ? ":0" : ":") + std::to_string(whole % 60);
}

void draw_run(App& app, Ui& ui, Rect area) {
  const Scene scene = app.scene();
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  // What is done before one sees it begin needs no button to stop it.
  const bool busy = scene.running_for && *scene.running_for > 0.25;
  const std::string label = busy ? "Stop " + seconds_words(*scene.running_for) : "Run";
  const Response response = ui.item("run", "button", label, busy ? "busy" : "", area);
  const Colour back = t(Token::accent);
  paint.fill(area, response.hovered ? mixed(back, t(Token::ink), 0.15F) : back, 6);
  const float wide = paint.width(label, Font::strong) + 20;
  const Point icon{std::round(area.centre().x - wide / 2 + 6), area.centre().y};
  if (busy) paint.fill({icon.x - 4, icon.y - 4, 9, 9}, t(Token::on_accent), 1);
  else draw_icon(paint, Icon::play, icon, 11, t(Token::on_accent));
  paint.text_in({icon.x + 14, area.y, area.w, area.h}, label, Font::strong, t(Token::on_accent));
  if (response.hovered && busy) ui.tooltip("Ends it   Esc");
  if (response.hovered && !busy) ui.tooltip("Run   " + chord_of(action("run"), app.settings));
  if (response.clicked) ui.act(busy ? "window cancel" : "run");
}

/// What the bar holds, and how much of it is shown whole: what has no room becomes a menu, then an icon, then goes.
/// Nothing overlaps.
struct TopBar {
  std::string file;
  Badge badge;
  std::vector<Choice> kernels, presets;
  std::string kernel, preset, backend;
  int level = 0;  ///< 1: presets in a menu, 2: search an icon, 3: kernels in a menu, 4: verdict an icon, 5: no back
                  ///< end, 6: short name

  bool presets_open() const { return level < 1; }
  bool search_open() const { return level < 2; }
  bool kernels_open() const { return level < 3 && kernels.size() <= 4; }
  bool words() const { return level < 4; }
  bool has_backend() const { return level < 5; }
  float file_width(const Paint& paint) const {
    return level < 6 ? menu_width(paint, file, Font::title) : std::min(120.F, menu_width(paint, file, Font::title));
  }
  float badge_width(const Paint& paint) const {
    return words() ? std::round(paint.width(badge.words, Font::strong)) + 38 : 28;
  }
  float kernels_width(const Paint& paint) const {
    return kernels.size() < 2 ? 0 : (kernels_open() ? width_of(paint, kernels) : menu_width(paint, kernel)) + wide_gap;
  }
  float presets_width(const Paint& paint) const {
    return presets_open() ? width_of(paint, presets) : menu_width(paint, preset);
  }
  float left(const Paint& paint) const {
    return 34 + file_width(paint) + bar_gap + kernels_width(paint) + badge_width(paint);
  }
  float right(const Paint& paint) const {
    return run_width + bar_gap + (has_backend() ? menu_width(paint, backend) + bar_gap : 0) + icon_width + bar_gap +
           presets_width(paint);
  }
  float least(const Paint& paint) const {
    return left(paint) + right(paint) + 2 * wide_gap + (search_open() ? 200 : icon_width);
  }
};

TopBar top_bar_of(App& app, const Paint& paint, float room) {
  const Scene scene = app.scene();
  TopBar bar;
  bar.file = app.document().name() + (app.document().modified() ? " •" : ""), bar.badge = badge_of(scene);
  for (const session::KernelView& kernel : scene.snapshot->kernels)
    bar.kernels.push_back({"kernel:" + kernel.name, kernel.name, "window kernel " + kernel.name,
                           scene.kernel && scene.kernel->name == kernel.name});
  bar.kernel = scene.kernel ? scene.kernel->name : "kernel";
  bar.preset = "Layout", bar.backend = app.settings.backend_in_force();
  for (const Preset& preset : presets()) {
    const bool chosen = app.settings.preset == preset.name;
    if (chosen) bar.preset = preset.title;
    bar.presets.push_back(
        {std::string("preset:") + preset.name, preset.title, std::string("window preset ") + preset.name, chosen});
  }
  while (bar.level < 6 && bar.least(paint) > room) ++bar.level;
  return bar;
}

}  // namespace

void draw_top_bar(App& app, Ui& ui, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  Rect rest = area.inset(14, 9);
  const TopBar bar = top_bar_of(app, paint, rest.w);

  draw_run(app, ui, rest.take_right(run_width));
  rest.take_right(bar_gap);
  if (bar.has_backend()) {
    draw_menu(ui, "backend", bar.backend, bar.backend == "jit" ? "window backend native" : "window backend jit",
              rest.take_right(menu_width(paint, bar.backend)));
    rest.take_right(bar_gap);
  }
  const Command& theme = action("theme");
  const std::string chord = chord_of(theme, app.settings);
  if (icon_button(ui, "theme", {.icon = Icon::theme, .label = theme.title, .chord = chord, .size = 16},
                  rest.take_right(icon_width)))
    ui.act(theme.text);
  rest.take_right(bar_gap);
  const Rect layout = rest.take_right(bar.presets_width(paint));
  if (bar.presets_open()) draw_choices(ui, layout, bar.presets);
  else draw_menu(ui, "presets", bar.preset, "window palette layout", layout);
  rest.take_right(wide_gap);

  draw_logo(paint, t, {rest.x, rest.y + 6});
  rest.take_left(34);
  draw_menu(ui, "file", bar.file, "window gallery", rest.take_left(bar.file_width(paint)).inset(-4, 0), Font::title);
  rest.take_left(bar_gap);
  if (bar.kernels.size() > 1) {
    const Rect spot = rest.take_left(bar.kernels_width(paint) - wide_gap);
    if (bar.kernels_open()) draw_choices(ui, spot, bar.kernels);
    else draw_menu(ui, "kernels", bar.kernel, "window palette kernel", spot);
    rest.take_left(wide_gap);
  }
  const Rect pill = rest.take_left(bar.badge_width(paint));
  draw_badge(ui, {pill.x, pill.y + 4, pill.w, 22}, bar.badge, bar.words());
  rest.take_left(wide_gap);

  const float wanted = bar.search_open() ? std::min(330.F, rest.w) : std::min(icon_width, rest.w);
  if (wanted < icon_width) return;
  // In the middle of the window where that is free; an icon stands beside the presets.
  const float middle = bar.search_open() ? area.centre().x - wanted / 2 : rest.right();
  draw_search(app, ui, {std::round(std::clamp(middle, rest.x, rest.right() - wanted)), rest.y, wanted, rest.h});
}

}  // namespace trellis::gui
