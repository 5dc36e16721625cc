#include "gui/find.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gui/app.hpp"
#include "gui/field.hpp"
#include "gui/icons.hpp"

namespace trellis::gui {
namespace {

bool same(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

struct FindKept {
  Editor words, other;
  bool replaces = false;
};

/// The things of a pane whose names have the words, in the order in which they stand.
std::vector<const Item*> items_with(const Ui& ui, const std::string& pane, const std::string& words) {
  std::vector<const Item*> found;
  for (const Item& item : ui.items())
    if (item.pane == pane && item.role != "tab" && item.role != "scroll" && item.role != "document" &&
        item.id != "subtitle" && !item.rect.empty() && !occurrences(item.label, words).empty())
      found.push_back(&item);
  return found;
}

void go_on(Ui::Find& find, bool forth) {
  if (find.count == 0) return;
  find.at = forth ? (find.at + 1) % find.count : (find.at + find.count - 1) % find.count;
  find.moved = true;
}

// The match that is looked at becomes the editor's selection, which it scrolls to.
void select_found(App& app) {
  const Ui::Find& find = app.ui.find_words;
  const auto found = occurrences(app.document().editor().text(), find.query);
  if (find.at < found.size()) app.document().editor().select(found[find.at].begin, found[find.at].end);
}

void draw_find_row(App& app, Rect row, bool edits) {
  Ui& ui = app.ui;
  Ui::Find& find = ui.find_words;
  auto& kept = ui.memory<FindKept>("find");
  const bool typing = ui.text_field().starts_with("find/");
  const auto button = [&](const char* id, Icon icon, const char* label, const char* chord, float size) {
    return icon_button(ui, id, {.icon = icon, .label = label, .chord = chord, .plain = true, .size = size},
                       row.take_right(26));
  };
  const bool close = button("close", Icon::close, "Close", "Escape", 10) || (typing && ui.key("Escape"));
  if (edits && button("replaces", Icon::order, "Replace", "", 12)) kept.replaces = !kept.replaces;
  const bool forth = button("next", Icon::step, "The next one", "Enter", 10) || (typing && ui.key("Enter"));
  const bool back =
      button("last", Icon::back, "The one before", "Shift+Enter", 10) || (typing && ui.key("Shift+Enter"));
  const std::string count = find.query.empty() ? ""
                            : find.count == 0  ? "none"
                                               : std::to_string(find.at + 1) + " of " + std::to_string(find.count);
  const Rect spot = row.take_right(64);
  ui.paint().text_in(spot.inset(6, 0), count, Font::small, ui.theme()(Token::soft), Align::right);
  ui.label("count", count, spot);
  if (draw_field(ui, "words", kept.words, row, {.placeholder = "Find in this pane", .font = Font::mono})) {
    find.query = kept.words.text(), find.at = 0, find.moved = true;
    if (edits) select_found(app);
  }
  if (forth || back) {
    go_on(find, forth);
    if (edits) select_found(app);
  }
  if (close) {
    ui.find_words = {};
    ui.focus_text("");
  }
}

void draw_replace_row(App& app, Rect row) {
  Ui& ui = app.ui;
  Ui::Find& find = ui.find_words;
  auto& kept = ui.memory<FindKept>("find");
  const bool all = ui.button("replace all", "All", row.take_right(48));
  row.take_right(6);
  const bool one = ui.button("replace", "Replace", row.take_right(72));
  row.take_right(6);
  draw_field(ui, "other", kept.other, row, {.placeholder = "Replace with", .font = Font::mono});
  Editor& editor = app.document().editor();
  const auto found = occurrences(editor.text(), find.query);
  if (found.empty() || (!one && !all)) return;
  if (one) {
    const Occurrence at = found[std::min(find.at, found.size() - 1)];
    editor.replace(at.begin, at.end, kept.other.text());
    return select_found(app);
  }
  std::string text;
  std::uint32_t done = 0;
  for (const Occurrence& at : found)
    text += editor.text().substr(done, at.begin - done) + kept.other.text(), done = at.end;
  editor.replace_all(text + editor.text().substr(done));
  app.notes.say(std::to_string(found.size()) + " replaced");
}

}  // namespace

std::vector<Occurrence> occurrences(std::string_view text, std::string_view words) {
  std::vector<Occurrence> found;
  if (words.empty()) return found;
  for (auto at = text.begin();;) {
    at = std::search(at, text.end(), words.begin(), words.end(), same);
    if (at == text.end()) return found;
    const auto begin = static_cast<std::uint32_t>(at - text.begin());
    found.push_back({begin, begin + static_cast<std::uint32_t>(words.size())});
    at += static_cast<std::ptrdiff_t>(words.size());
  }
}

void paint_occurrence(Paint& paint, const Theme& theme, Rect area, bool here) {
  paint.fill(area, theme.fill(Token::accent, here ? 0.45F : 0.2F), 2);
  if (here) paint.outline(area.inset(-1), theme(Token::accent), 1.5F, 3);
}

void open_find(App& app, const std::string& words) {
  Ui& ui = app.ui;
  ui.find_words = {.pane = app.panes.active()};
  ui.enter_pane("find", true, false);
  auto& kept = ui.memory<FindKept>("find");
  kept.replaces = words == "replace";
  if (!words.empty() && !kept.replaces) kept.words.reset(words);
  kept.words.select(0, kept.words.text().size());
  ui.find_words.query = kept.words.text();
  focus_field(ui, "words");
}

void draw_find(App& app) {
  Ui& ui = app.ui;
  Ui::Find& find = ui.find_words;
  if (find.pane.empty() || app.modal.is_open()) return;
  const Rect pane = app.panes.area_of(find.pane);
  if (pane.empty()) return void(find.pane.clear());
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  ui.enter_pane("find", true, false);
  auto& kept = ui.memory<FindKept>("find");
  const bool edits = find.pane == "program";
  if (edits && kept.replaces && find.count > 0 && find.query.empty()) find.count = 0;

  // What the view has not searched itself.
  if (!find.answered && edits) find.count = occurrences(app.document().editor().text(), find.query).size();
  else if (!find.answered) {
    const std::vector<const Item*> found =
        find.query.empty() ? std::vector<const Item*>{} : items_with(ui, find.pane, find.query);
    find.count = found.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
      paint.outline(found[i]->rect.inset(-1), t(i == find.at ? Token::accent : Token::kin), i == find.at ? 2.F : 1.F,
                    4);
      if (i == find.at) paint.fill(found[i]->rect, t.fill(Token::accent, 0.15F), 4);
    }
  }
  find.at = find.count == 0 ? 0 : std::min(find.at, find.count - 1);
  find.moved = find.answered = false;

  const float width = std::min(380.F, pane.w - 16), height = edits && kept.replaces ? 78.F : 42.F;
  Rect area{pane.right() - width - 8, pane.y + 36, width, height};
  paint.fill(area.moved({0, 2}), faded(0xFF000000U, 0.25F), 9);
  paint.fill(area, t(Token::raised), 8);
  paint.outline(area, t(Token::line2), t.border, 8);
  ui.item("bar", "veil", "", "", area);
  area = area.inset(6, 6);
  draw_find_row(app, area.take_top(30), edits);
  area.take_top(6);
  if (edits && kept.replaces) draw_replace_row(app, area.take_top(30));
}

}  // namespace trellis::gui
