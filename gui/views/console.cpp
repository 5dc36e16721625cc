#include <algorithm>
#include <cmath>

#include "gui/completion.hpp"
#include "gui/console.hpp"
#include "gui/text_field.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float console_row = 18, console_padding = 14, console_text = 30;
constexpr std::size_t folded_lines = 8;

/// What is kept of the pane.
struct ConsolePane {
  float down = 0;
  bool at_end = true;  ///< follows what comes
  std::size_t entries = 0;
  bool focused = false, let_go = false;
  Completing completing;
  std::optional<std::string> searched;  ///< in the history, backwards
  std::size_t found = 0;
};

struct ConsoleRow {
  enum class Kind { command, text, problem, fold } kind = Kind::text;
  std::string_view text;
  const ConsoleEntry* entry = nullptr;
  bool first = false;    ///< of its entry's part
  std::size_t left = 0;  ///< of a fold: lines that are not shown
};

/// How much of a line has room, up to the end of a word where there is one.
std::size_t fitting(std::string_view line, std::size_t width) {
  std::size_t end = 0, column = 0;
  for (; end < line.size(); ++end)
    if ((static_cast<unsigned char>(line[end]) & 0xC0U) != 0x80U && column++ == width) break;
  if (end == line.size()) return end;
  const std::size_t blank = line.rfind(' ', end);
  return blank == std::string_view::npos || blank < end / 2 ? end : blank + 1;
}

/// Calls `visit(line)` for each line, broken where the pane ends; false from it is the end.
template <class Visit>
void each_broken_line(std::string_view text, std::size_t width, const Visit& visit) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    do {
      const std::size_t end = fitting(line, width);
      if (!visit(line.substr(0, end))) return;
      line.remove_prefix(end);
    } while (!line.empty());
  }
}

void add_rows(const ConsoleEntry& entry, std::size_t width, std::vector<ConsoleRow>& rows) {
  using Kind = ConsoleRow::Kind;
  each_broken_line(entry.command, width, [&](std::string_view line) {
    rows.push_back({Kind::command, line, &entry, rows.empty() || rows.back().entry != &entry});
    return true;
  });
  std::size_t shown = 0, left = 0;
  for (const auto& [text, kind] : {std::pair{&entry.messages, Kind::problem},
                                   std::pair{&entry.output, entry.failed ? Kind::problem : Kind::text}}) {
    bool first = true;
    each_broken_line(*text, width, [&](std::string_view line) {
      if (!entry.unfolded && shown >= folded_lines) return ++left < 10000;
      rows.push_back({kind, line, &entry, first});
      first = false, ++shown;
      return true;
    });
  }
  if (left > 0 || (entry.unfolded && shown > folded_lines)) rows.push_back({Kind::fold, "", &entry, true, left});
}

/// A verdict is what runs, checks and refusals have; other commands just answer.
std::optional<Verdict> verdict_of(const ConsoleRow& row) {
  if (!row.first || !row.entry->done) return std::nullopt;
  if (row.entry->failed) return Verdict::illegal;
  if (row.entry->legal) return Verdict::legal;
  const std::string& command = row.entry->command;
  if (command.starts_with("run") || command.starts_with("check")) return Verdict::legal;
  return std::nullopt;
}

void draw_console_row(const Scene& scene, Ui& ui, const ConsoleRow& row, Rect area, std::size_t number) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Rect words{area.x + console_text, area.y, area.w - console_text - 12, area.h};
  const float y = std::round(area.y + (area.h - paint.height(Font::list_mono)) / 2);
  switch (row.kind) {
    case ConsoleRow::Kind::command: {
      if (row.first) paint.text_in({area.x + console_padding, area.y, 12, area.h}, "›", Font::strong, t(Token::accent));
      float x = words.x + paint_line(paint, t, {words.x, y}, row.text, Colouring::program, &scene, Font::list_mono);
      if (row.first && row.entry->times > 1)
        x += paint.text({x + 10, y}, "× " + std::to_string(row.entry->times), Font::list_mono, t(Token::faint));
      if (row.first && !row.entry->done && row.entry->version != 0)
        paint.text({x + 10, y}, "…", Font::list_mono, t(Token::faint));
      return;
    }
    case ConsoleRow::Kind::text:
    case ConsoleRow::Kind::problem: {
      Rect text = words;
      const auto verdict = verdict_of(row);
      const bool failed = row.entry->failed;
      if (verdict) paint.verdict({text.x + 6, area.centre().y}, *verdict, t, 6), text.take_left(18);
      const Token token = row.first && failed ? Token::bad : verdict == Verdict::legal ? Token::good : Token::soft;
      paint.text_in(text, row.text, Font::list_mono, t(token));
      return;
    }
    case ConsoleRow::Kind::fold: {
      const std::string label = row.left > 0 ? "▸ " + std::to_string(row.left) + " more lines" : "▾ less";
      const Rect spot{words.x, area.y + 1, paint.width(label, Font::small) + 12, area.h - 2};
      const Response response =
          ui.item("fold:" + std::to_string(number), "button", label, row.left > 0 ? "folded" : "unfolded", spot);
      if (response.hovered) paint.fill(spot, t(Token::hover), 4);
      paint.text_in(spot.inset(6, 0), label, Font::small, t(response.hovered ? Token::ink : Token::accent));
      if (response.clicked) const_cast<ConsoleEntry*>(row.entry)->unfolded = row.left > 0;
      return;
    }
  }
}

void draw_entries(const Scene& scene, Ui& ui, ConsolePane& pane, Rect area) {
  const Console& console = *scene.console;
  const auto width =
      static_cast<std::size_t>(std::max(10.F, (area.w - console_text - 16) / advance_of(Font::list_mono)));
  std::vector<ConsoleRow> rows;
  for (const ConsoleEntry& entry : console.entries) add_rows(entry, width, rows);
  if (rows.empty())
    return draw_nothing(ui, area, "Every action is a command, and shows here.", "Type one below: help, run, why i k j");
  const float content = static_cast<float>(rows.size()) * console_row + 8;
  if (pane.entries != console.entries.size()) pane.entries = console.entries.size(), pane.at_end = true;
  if (pane.at_end) pane.down = std::max(0.F, content - area.h);
  const Clip clip(ui.paint(), area);
  ui.item("entries", "document", "entries", std::to_string(console.entries.size()), area);
  if (ui.key("PageUp")) pane.down -= area.h - console_row;
  if (ui.key("PageDown")) pane.down += area.h - console_row;
  ui.scroll("scroll", area, content, pane.down);
  pane.at_end = pane.down >= content - area.h - 1;
  // Few entries stand above the line that is typed in, where the eye is.
  const float top = area.y + 4 + std::max(0.F, area.h - content) - pane.down;
  for (std::size_t i = static_cast<std::size_t>(std::max(0.F, pane.down / console_row)); i < rows.size(); ++i) {
    const Rect row{area.x, std::round(top + static_cast<float>(i) * console_row), area.w, console_row};
    if (row.y > area.bottom()) break;
    const auto number = static_cast<std::size_t>(rows[i].entry - console.entries.data());
    draw_console_row(scene, ui, rows[i], row, number);
    if (rows[i].kind != ConsoleRow::Kind::fold)
      ui.label("entry:" + std::to_string(number), std::string(rows[i].text), row,
               rows[i].entry->failed ? "failed"
               : rows[i].entry->done ? "done"
                                     : "under way");
  }
}

/// Ctrl+R: what is typed is looked for in the history, backwards.
void take_history_search(Ui& ui, ConsolePane& pane, Console& console) {
  std::string& words = *pane.searched;
  const auto look = [&](std::size_t before) {
    if (const auto found = console.search(words, before)) {
      pane.found = *found;
      console.line.reset(console.history[*found]);
      console.line.place_caret(console.line.text().size(), false);
    }
  };
  if (const std::string typed = ui.take_typed(); !typed.empty()) words += typed, look(console.history.size());
  if (ui.key("Backspace") && !words.empty()) words.pop_back(), look(console.history.size());
  if (ui.key("Ctrl+R")) look(pane.found);
  if (ui.key("Enter") || ui.key("Tab") || ui.key("Right") || ui.key("Left")) pane.searched.reset();
  if (ui.key("Escape")) pane.searched.reset(), console.line.reset("");
}

void take_console_keys(const Scene& scene, Ui& ui, ConsolePane& pane, Console& console) {
  if (pane.searched) return take_history_search(ui, pane, console);
  take_completion_keys(ui, console.line, pane.completing);
  if (ui.key("Ctrl+R")) {
    pane.searched = "", pane.found = console.history.size();
    return;
  }
  if (ui.key("Ctrl+L")) ui.act("clear");
  const int line = console.line.line_of(console.line.caret());
  if (line == 0 && ui.key("Up")) console.recall(true);
  else if (line + 1 == console.line.line_count() && ui.key("Down")) console.recall(false);
  if (ui.key("Up")) console.line.move(Editor::Move::up, false);
  if (ui.key("Down")) console.line.move(Editor::Move::down, false);
  if (ui.key("Shift+Enter")) console.line.new_line();
  const std::size_t length = console.line.text().size();
  if (ui.key("Tab")) {
    pane.completing.close();
    pane.completing.before = console.line.text().substr(0, console.line.caret());
    pane.completing.wanted_all = pane.completing.take_only = true;
  }
  take_text_keys(ui, console.line, {.many_lines = false});
  if (ui.key("Enter")) {
    if (const std::string entry = console.enter(); !entry.empty()) ui.act(entry);
    pane.completing.close();
  }
  follow_completion(scene, console.line, pane.completing, length < console.line.text().size());
}

void draw_console_line(const Scene& scene, Ui& ui, ConsolePane& pane, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  Console& console = *scene.console;
  const std::string field = ui.pane() + "/line";
  const Response response = ui.item("line", "field", console.line.text(), pane.focused ? "typing" : "", area);
  if (response.pressed || (ui.pane_has_keys() && ui.text_field().empty() && (!pane.let_go || ui.key("Enter"))))
    ui.focus_text(field);
  const bool was = pane.focused;
  pane.focused = ui.pane_has_keys() && ui.text_field() == field;
  if (was && !pane.focused) pane.let_go = ui.pane_has_keys(), pane.completing.close();
  if (!ui.pane_has_keys() || pane.focused) pane.let_go = false;

  paint.fill(area, t(Token::raised), 6);
  paint.outline(area, t(pane.focused ? Token::accent : Token::line2), 1, 6);
  paint.text_in({area.x + 10, area.y + 5, 12, console_row}, "›", Font::strong, t(Token::accent));
  Rect inside = area.inset(26, 5);
  inside.w += 16;
  if (area.w > 260) {
    const Rect chip = Rect{area.right() - 42, area.y + 5, 34, 18};
    paint.fill(chip, t(Token::pane), 4);
    paint.text_in(chip, "Tab", Font::small, t(Token::soft), Align::centre);
    inside.w -= 40;
  }
  if (pane.searched) {
    const std::string words = "history: " + *pane.searched + " ";
    paint.text_in(inside.take_left(paint.width(words, Font::text) + 8), words, Font::text, t(Token::kin));
  }
  TextLook look{{inside.x, inside.y}, Font::mono, console_row};
  const float caret = static_cast<float>(column_of(console.line, console.line.caret())) * advance_of(look.font);
  look.origin.x -= std::max(0.F, caret - inside.w + 12);
  take_text_pointer(ui, console.line, look, response);
  if (pane.focused) { take_console_keys(scene, ui, pane, console); }

  const Clip clip(paint, {inside.x - 2, area.y, inside.w + 4, area.h});
  const float text_y = std::round((console_row - paint.height(look.font)) / 2);
  if (console.line.text().empty() && !pane.searched)
    paint.text_in({inside.x, inside.y, inside.w, console_row}, scene.kernel ? "why i k j" : "help", look.font,
                  t(Token::faint));
  for (int line = 0; line < console.line.line_count(); ++line) {
    draw_selection(ui, console.line, look, line);
    paint_line(paint, t, {look.origin.x, look.origin.y + static_cast<float>(line) * console_row + text_y},
               console.line.line(line), Colouring::program, &scene, look.font);
  }
  if (!pane.focused) return;
  draw_caret(ui, console.line, look);
  draw_completion(ui, console.line, pane.completing, place_of(console.line, look, console.line.caret()), console_row);
}

void draw_console(const Scene& scene, Ui& ui, Rect area) {
  auto& pane = ui.memory<ConsolePane>("pane");
  const int lines = std::min(scene.console->line.line_count(), std::max(1, static_cast<int>(area.h / 2 / console_row)));
  const Rect line = area.take_bottom(static_cast<float>(lines) * console_row + 20).inset(10, 5);
  draw_entries(scene, ui, pane, area);
  draw_console_line(scene, ui, pane, line);
}

std::string console_subtitle(const Scene&) { return "every action is a command"; }

}  // namespace

const View console_view = {"console", "Console", "program", console_subtitle, draw_console, ""};

}  // namespace trellis::gui
