// Examples as cards, with the programs that were open last beside them: the first screen when nothing is open.
#include <cmath>
#include <filesystem>

#include "engine/session/program/documents.hpp"
#include "gui/fuzzy.hpp"
#include "gui/overlays/path.hpp"
#include "gui/overlays/sheet.hpp"
#include "gui/shelves.hpp"
#include "gui/shortcuts.hpp"
#include "gui/sketch.hpp"
#include "gui/text_view.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

struct GalleryKept {
  Editor query;
  std::size_t shelf = 0;  ///< of those in the list, from 1; 0: all of them
  std::string searched = "\n";
  std::vector<std::size_t> found;  ///< numbers of examples
  Choosing cards;
  PathKept path;
  bool opens_path = false;
};

// What is looked for is found on every shelf.
void search(GalleryKept& kept) {
  if (kept.searched == kept.query.text()) return;
  kept.searched = kept.query.text();
  if (!kept.searched.empty()) kept.shelf = 0;
  kept.found.clear();
  std::vector<std::pair<int, std::size_t>> fits;
  for (std::size_t s = 0; s < shelves().size(); ++s)
    for (const std::size_t i : shelves()[s].examples) {
      const session::Example& one = session::example_programs[i];
      if (kept.shelf > 0 && kept.shelf != s + 1) continue;
      if (const auto name = fit(kept.searched, one.name)) fits.emplace_back(name->score, i);
      else if (kept.searched.size() > 2 && one.text.find(kept.searched) != std::string_view::npos)
        fits.emplace_back(-1000, i);
    }
  if (!kept.searched.empty()) std::ranges::stable_sort(fits, std::greater{}, [](const auto& one) { return one.first; });
  for (const auto& [score, i] : fits) kept.found.push_back(i);
  kept.cards = {};
}

/// What the program computes, without comments and blank lines.
std::vector<std::string_view> first_lines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    const bool says = line.find_first_not_of(' ') != std::string_view::npos && line[line.find_first_not_of(' ')] != '#';
    if (says && !line.starts_with("param") && !line.starts_with("tensor") && !line.starts_with("random") &&
        !line.starts_with("load"))
      lines.push_back(line);
  }
  return lines;
}

void draw_card(Ui& ui, Rect card, const session::Example& example, bool chosen) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool hovered = card.cut(paint.clipped()).contains(ui.input().mouse);
  paint.fill(card, t(hovered ? Token::hover : Token::raised), 8);
  paint.outline(card, t(chosen ? Token::accent : Token::line), chosen ? t.active_border : t.border, 8);
  Rect inner = card.inset(12, 9);
  Rect title = inner;
  title.take_right(draw_sketch(paint, t, {inner.x + inner.w / 2, inner.y + 3, inner.w / 2, 36}, example.text));
  paint.text_in(title.take_top(20), example.name, Font::strong, t(Token::ink));
  const Clip clip(paint, inner);
  inner.take_top(20);
  Rect summary = inner.take_top(34);
  summary.w = title.w;
  {
    const Clip two_lines(paint, summary);
    paint.paragraph(summary, example.summary(), Font::small, t(Token::soft));
  }
  inner.take_top(4);
  paint.fill({inner.x, inner.y, inner.w, 1}, t(Token::line));
  float y = inner.y + 7;
  for (const std::string_view line : first_lines(example.text, 4)) {
    paint_line(paint, t, {inner.x, y}, line, Colouring::program, nullptr, Font::small_mono, 0.85F);
    y += 15;
  }
}

/// The topics as chips, in as many rows as they need.
void draw_shelves(Ui& ui, Rect& area, GalleryKept& kept) {
  constexpr float high = 24, gap = 6;
  float x = area.x, y = area.y;
  for (std::size_t s = 0; s <= shelves().size(); ++s) {
    const std::string words = s == 0 ? "All" : shelves()[s - 1].topic;
    const float wide = ui.paint().width(words, Font::text) + 20;
    if (x + wide > area.right() && x > area.x) x = area.x, y += high + gap;
    if (ui.button("topic:" + words, words, {x, y, wide, high}, false, kept.shelf == s)) {
      kept.shelf = s, kept.searched = "\n", kept.query = {};
      ui.animate();
    }
    x += wide + gap;
  }
  area.take_top(y + high + 12 - area.y);
}

void draw_examples(App& app, Ui& ui, Rect area, GalleryKept& kept) {
  const auto across = static_cast<std::size_t>(std::max(1.F, std::floor(area.w / 250)));
  const Rows rows{.count = kept.found.size(),
                  .height = 152,
                  .across = across,
                  .gap = 10,
                  .role = "card",
                  .look =
                      [&](std::size_t i) {
                        const session::Example& one = session::example_programs[kept.found[i]];
                        return RowLook{"example:" + std::string(one.name),
                                       std::string(one.name) + ": " + std::string(one.summary())};
                      },
                  .draw = [&](std::size_t i, Rect card,
                              bool chosen) { draw_card(ui, card, session::example_programs[kept.found[i]], chosen); }};
  if (const auto taken = draw_rows(ui, area, rows, kept.cards)) {
    const std::string name(session::example_programs[kept.found[*taken]].name);
    app.modal.close();
    ui.act("window open " + name);
  }
  if (kept.found.empty())
    ui.paint().text_in(area.take_top(80), "No example is like that", Font::text, ui.theme()(Token::soft),
                       Align::centre);
}

struct Doing {
  std::string id, label, chord, command;
  Icon icon;
};

bool draw_doing(Ui& ui, Rect row, const Doing& doing, const std::string& detail = {}) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response response = ui.item(doing.id, "button", doing.label, "", row);
  if (response.hovered) paint.fill(row, t(Token::hover), 6);
  row = row.inset(10, 0);
  draw_icon(paint, doing.icon, {row.x + 7, row.centre().y}, 13, t(response.hovered ? Token::ink : Token::soft));
  row.take_left(25);
  if (!doing.chord.empty()) row.take_right(draw_chord(paint, t, row, doing.chord) + 8);
  if (detail.empty()) {
    paint.text_in(row, doing.label, Font::text, t(Token::ink));
  } else {
    paint.text_in({row.x, row.y + 4, row.w, 18}, doing.label, Font::text, t(Token::ink));
    paint.text_in({row.x, row.y + 21, row.w, 16}, detail, Font::small, t(Token::faint));
  }
  return response.clicked;
}

void draw_side(App& app, Ui& ui, Rect area, GalleryKept& kept) {
  const auto row_of = [&](const char* id, Icon icon) {
    const Command& does = action(id);
    return Doing{id, does.title, chord_of(does, app.settings), does.text, icon};
  };
  const std::vector<Doing> all = {row_of("new", Icon::plus),
                                  row_of("open", Icon::folder),
                                  {"lessons", "Lessons, from the first loop", "", "tutorial 1", Icon::book},
                                  row_of("tour", Icon::question)};
  for (const Doing& one : all)
    if (draw_doing(ui, area.take_top(32), one)) {
      if (one.id == "open") {
        kept.opens_path = true;
        focus_field(ui, "path");
        continue;
      }
      app.modal.close();
      if (one.id == "lessons") ui.act("window pane lesson");
      ui.act(one.command);
    }
  area.take_top(14);
  if (app.settings.recent.empty()) return;
  draw_heading(ui, area.take_top(22).inset(10, 0), "Open lately");
  for (const std::string& file : app.settings.recent) {
    if (area.h < 44) break;
    const std::filesystem::path path(file);
    if (draw_doing(ui, area.take_top(44),
                   {"recent:" + path.filename().string(), path.filename().string(), "", "", Icon::clock},
                   path.parent_path().string())) {
      app.modal.close();
      ui.act("window open " + in_quotes(file));
    }
  }
}

}  // namespace

void draw_gallery(App& app, Ui& ui, Rect window, const std::string&) {
  auto& kept = ui.memory<GalleryKept>("gallery");
  if (app.modal.is_new()) {
    kept = {};
    kept.opens_path = app.modal.name() == "open";
    const std::filesystem::path at(app.document().path());
    begin_path(kept.path, at.parent_path().empty() ? "" : at.parent_path().string() + "/");
  }
  search(kept);
  Rect area = draw_sheet(app, ui, window,
                         {.title = kept.opens_path ? "Open a file" : "Programs",
                          .subtitle = kept.opens_path ? "Tab completes" : "an example, or one of yours",
                          .width = 1120,
                          .height = 720});
  area.take_bottom(16);
  const bool wide = area.w > 640;
  if (wide) draw_side(app, ui, area.take_right(260), kept), area.take_right(18);
  if (kept.opens_path) {
    if (const auto path = draw_path(ui, area, kept.path, ".tr", "a path to a .tr file"))
      app.modal.close(), ui.act("window open " + in_quotes(*path));
    return;
  }
  const Rect field = area.take_top(36);
  area.take_top(12);
  draw_shelves(ui, area, kept);
  draw_examples(app, ui, area, kept);
  draw_field(
      ui, "query", kept.query, field,
      {.placeholder = "Search " + std::to_string(session::example_programs.size()) + " examples", .font = Font::text});
}

}  // namespace trellis::gui
