#include "gui/bars.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

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
float draw_choices(Ui& ui, Rect area, const std::vector<Choice>& choices) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  float width = 4;
  for (const Choice& one : choices) width += paint.width(one.label, Font::text) + 20;
  paint.fill({area.x, area.y, width, area.h}, t(Token::raised), 6);
  float x = area.x + 2;
  for (const Choice& one : choices) {
    const Rect spot{x, area.y + 2, paint.width(one.label, Font::text) + 20, area.h - 4};
    const Response response = ui.item(one.id, "choice", one.label, one.chosen ? "chosen" : "", spot);
    if (one.chosen) paint.fill(spot, t(Token::hover), 5), paint.outline(spot, t(Token::line2), 1, 5);
    else if (response.hovered) paint.fill(spot, t(Token::hover), 5);
    paint.text_in(spot, one.label, Font::text, t(one.chosen ? Token::ink : Token::soft), Align::centre);
    if (response.clicked) ui.act(one.command);
    x += spot.w;
  }
  return width;
}

struct Badge {
  Verdict icon = Verdict::unknown;
  Token token = Token::faint;
  std::string words;
};
Badge badge_of(const Scene& scene) {
  const auto& messages = *scene.messages;
  if (scene.predict) return {Verdict::unknown, Token::faint, "what do you say?"};
  const bool wrong = std::ranges::any_of(messages, [](const session::Message& m) {
    return m.diagnostic.severity == text::Severity::error && m.diagnostic.code != "E0101";
  });
  if (wrong) return {Verdict::illegal, Token::bad, "wrong"};
  if (!scene.legal()) return {Verdict::unknown, Token::faint, scene.snapshot->program ? "working" : "no program"};
  if (!*scene.legal()) return {Verdict::illegal, Token::bad, "illegal"};
  const bool proven = scene.explained()->certificate && scene.explained()->certificate->sizes.starts_with("for all");
  return {Verdict::legal, Token::good, proven ? "legal, proven for all sizes" : "legal, proven"};
}

}  // namespace

void draw_top_bar(App& app, Ui& ui, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Scene scene = app.scene();
  Rect rest = area.inset(14, 9);
  draw_logo(paint, t, {rest.x, rest.y + 6});
  rest.take_left(36);

  // From the right: run, back end, theme, presets.
  if (ui.button("run", "▶  Run", rest.take_right(78), true)) ui.act("run");
  ui.tooltip("");
  rest.take_right(8);
  const std::string& backend = app.settings().backend;
  if (ui.button("backend", backend, rest.take_right(64))) ui.act(backend == "jit" ? "window backend native" : "window backend jit");
  rest.take_right(8);
  if (ui.button("theme", "◐", rest.take_right(30))) ui.act("window theme next");
  rest.take_right(12);
  std::vector<Choice> choices;
  float wide = 4;
  for (const Preset& preset : presets()) {
    choices.push_back({std::string("preset:") + preset.name, preset.title, std::string("window preset ") + preset.name,
                       app.settings().preset == preset.name});
    wide += paint.width(preset.title, Font::text) + 20;
  }
  if (area.w >= 1350) {
    draw_choices(ui, rest.take_right(wide), choices);
  } else {
    const auto chosen = std::ranges::find_if(choices, &Choice::chosen);
    if (ui.button("presets", (chosen == choices.end() ? "Layout" : chosen->label) + " ▾", rest.take_right(120))) ui.act("window palette layout");
  }
  rest.take_right(14);

  // From the left: file, kernels, verdict.
  const std::string name = app.document().name() + (app.document().modified() ? " •" : "");
  const float name_width = paint.width(name, Font::title) + 26;
  const Rect file = rest.take_left(name_width);
  const Response opened = ui.item("file", "button", name, "", file);
  if (opened.hovered) paint.fill(file.inset(-4, 0), t(Token::hover), 6);
  paint.text_in(file, name, Font::title, t(Token::ink));
  paint.text_in(file, "▾", Font::text, t(Token::faint), Align::right);
  if (opened.clicked) ui.act("window gallery");
  rest.take_left(14);
  if (scene.snapshot->kernels.size() > 1) {
    std::vector<Choice> kernels;
    for (const session::KernelView& kernel : scene.snapshot->kernels)
      kernels.push_back({"kernel:" + kernel.name, kernel.name, "window kernel " + kernel.name, scene.kernel && scene.kernel->name == kernel.name});
    if (kernels.size() > 4) {
      if (ui.button("kernels", (scene.kernel ? scene.kernel->name : "kernel") + " ▾", rest.take_left(130))) ui.act("window palette kernel");
    } else {
      rest.take_left(draw_choices(ui, rest, kernels));
    }
    rest.take_left(14);
  }
  const Badge badge = badge_of(scene);
  const Rect pill{rest.x, rest.y + 4, paint.width(badge.words, Font::strong) + 38, 22};
  if (pill.right() < rest.right()) {
    paint.fill(pill, t.fill(badge.token, t.verdict_fill), 11);
    paint.verdict({pill.x + 14, pill.y + 11}, badge.icon, t, 6.5F);
    paint.text_in({pill.x + 26, pill.y, pill.w, pill.h}, badge.words, Font::strong, t(badge.token));
    if (ui.item("verdict", "button", badge.words, badge.words, pill).clicked) ui.act("window pane explain");
    rest.take_left(pill.w + 14);
  }

  const float wanted = std::min(330.F, rest.w);
  if (wanted < 60) return;
  const float middle = area.x + area.w / 2 + 10;
  const Rect search{std::clamp(middle - wanted / 2, rest.x, rest.right() - wanted), rest.y, wanted, rest.h};
  const Response found = ui.item("search", "button", "Search, or a command", "", search);
  paint.fill(search, t(found.hovered ? Token::hover : Token::raised), 6);
  paint.ring({search.x + 16, search.y + 14}, 4.5F, t(Token::soft), 1.5F);
  paint.line({search.x + 19.5F, search.y + 17.5F}, {search.x + 23, search.y + 21}, t(Token::soft), 1.5F);
  if (wanted > 200) {
    paint.text_in({search.x + 32, search.y, search.w - 90, search.h}, "Search, or a command", Font::text, t(Token::faint));
    const Rect chord{search.right() - 52, search.y + 5, 46, 20};
    paint.fill(chord, t(Token::pane), 4);
    paint.text_in(chord, "Ctrl P", Font::small, t(Token::soft), Align::centre);
  }
  if (found.clicked) ui.act("window palette");
}

void draw_stepper(App& app, Ui& ui, const std::string& replay, char side, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Steps& steps = app.steps(side);
  const std::size_t at = replay == "placement" ? steps.placement : replay == "lattice" ? steps.lattice : steps.execution;
  const std::string where = std::to_string(at) + " / " + std::to_string(app.length_of(replay, side));
  const std::string suffix = " " + replay;
  const auto button = [&](const char* id, const char* label, const char* command, float width, bool strong) {
    if (ui.button(id, label, area.take_left(width), strong)) ui.act(command + suffix);
    area.take_left(4);
  };
  button("first", "«", "window first", 24, false);
  button("back", "‹", "window back", 24, false);
  button("play", app.playing() ? "❚❚" : "▶", "window play", 28, true);
  button("step", "›", "window step", 24, false);
  button("last", "»", "window last", 24, false);
  area.take_left(6);
  paint.text_in(area, where, Font::list_mono, t(Token::ink));
  ui.label("where", where, area);
}

void draw_pane_header(App& app, Ui& ui, const Placed& placed, Rect area, const Scene& scene) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string& pane = placed.tabs[placed.active];
  Rect rest = area.inset(14, 0);
  const View& view = *find_view(pane);
  // One stepper is enough for all that replay the same; the timeline has it where it stands.
  const auto& visible = app.visible_panes();
  const bool elsewhere = view.replay == std::string_view("execution") && std::ranges::find(visible, scene.side == 'B' ? "timeline:B" : "timeline") != visible.end();
  if (*view.replay && area.w > 420 && !view.draw_header && !elsewhere) {
    const Rect stepper = rest.take_right(250);
    draw_stepper(app, ui, view.replay, scene.side, {stepper.x, stepper.y + 4, stepper.w, 24});
  }
  for (std::size_t i = 0; i < placed.tabs.size(); ++i) {
    const View* tab = find_view(placed.tabs[i]);
    if (!tab) continue;
    const bool front = i == placed.active;
    std::string title = tab->title;
    if (placed.tabs[i].ends_with(":B")) title += " B";
    const Rect spot = rest.take_left(std::min(rest.w, paint.width(title, Font::strong) + 2));
    if (spot.w < 8) break;
    const Response response = ui.item("tab:" + placed.tabs[i], "tab", title, front ? "front" : "", spot.inset(-5, 2));
    paint.text_in(spot, title, Font::strong, t(front ? Token::ink : response.hovered ? Token::soft : Token::faint));
    if (front && placed.tabs.size() > 1) paint.fill({spot.x, area.bottom() - 4, spot.w, 2}, t(Token::accent), 1);
    if (response.clicked || response.pressed) ui.act("window pane " + placed.tabs[i]);
    rest.take_left(14);
  }
  if (scene.side == 'B') ui.tag({rest.x, rest.y + 6}, "B", t(Token::index4));
  if (view.draw_header) {
    if (scene.side == 'B') rest.take_left(26);
    if (*view.replay) {
      const Rect stepper = rest.take_left(std::min(rest.w, 226.F));
      draw_stepper(app, ui, view.replay, scene.side, {stepper.x, stepper.y + 4, stepper.w, 24});
      rest.take_left(10);
    }
    if (rest.w > 40) view.draw_header(scene, ui, rest);
    return;
  }
  const std::string subtitle = view.subtitle ? view.subtitle(scene) : "";
  if (scene.side != 'B' && !subtitle.empty()) {
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
  if (scene.busy && scene.progress) {
    const session::Progress& p = *scene.progress;
    const Rect spot = rest.take_right(320);
    const std::string words = to_string(p) + "   Esc ends it";
    paint.text_in(spot, words, Font::small, t(Token::soft), Align::right);
    if (p.of > 0)
      paint.fill({spot.x, spot.bottom() - 3, spot.w * static_cast<float>(p.number) / static_cast<float>(p.of), 2}, t(Token::accent), 1);
    ui.label("progress", words, spot);
  }
  std::string words;
  for (const auto& [stage, count] : app.kin_count()) words += std::string(text::name_of(stage)) + " " + std::to_string(count) + "   ";
  if (app.pinned()) {
    const Rect tag = ui.tag({rest.x + paint.width(words, Font::small) + 8, rest.y + 3}, "pinned · Esc lets go", t(Token::kin), Font::small);
    (void)tag;
  } else if (words.empty()) {
    words = "hover: what belongs together lights up   ·   click: pin   ·   ← → step   ·   Shift ← → violation   ·   Space play   ·   F1 help";
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
