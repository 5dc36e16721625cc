// All actions with their chords: click one, or press Enter on it, and then the chord that it shall have.
#include <algorithm>

#include "gui/overlays/sheet.hpp"
#include "gui/shortcuts.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

struct KeysKept {
  std::string waiting;  ///< the action that the next chord is for
  float offset = 0;
};

constexpr std::pair<const char*, const char*> key_groups[] = {{"file", "Files"},       {"edit", "Editing"},
                                                              {"schedule", "Running"}, {"replay", "Steps"},
                                                              {"window", "Window"},    {"help", "Help"}};
constexpr float key_row = 28, key_heading = 34;

/// The chord that was pressed, but for keys that only say that another is coming.
void take_chord(Ui& ui, KeysKept& kept) {
  if (kept.waiting.empty() || ui.input().keys.empty()) return;
  const std::string chord = ui.input().keys.front();
  for (const std::string& key : ui.input().keys) ui.key(key);
  const std::string action = std::exchange(kept.waiting, {});
  if (chord == "Escape") return;
  ui.act("window bind " + in_quotes(action) + " " + (chord == "Delete" || chord == "Backspace" ? "none" : chord));
}

void draw_action(App& app, Ui& ui, Rect row, const Command& action, KeysKept& kept) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool waits = kept.waiting == action.id, own = app.settings.keys.contains(action.id);
  const std::string chord = chord_of(action, app.settings);
  const Rect reset = row.take_right(26).inset(2, 2);
  if (own && icon_button(ui, std::string("reset:") + action.id,
                         {.icon = Icon::close,
                          .label = std::string("As usual: ") + (*action.chord ? action.chord : "none"),
                          .plain = true,
                          .size = 9},
                         reset))
    ui.act("window bind " + in_quotes(action.id));
  const Response response =
      ui.item(std::string("action:") + action.id, "button", action.title, waits ? "waits for a chord" : chord, row);
  if (response.hovered || waits) paint.fill(row, t(Token::hover), 5);
  const Rect inner = row.inset(8, 0);
  if (waits) paint.text_in(inner, "press a chord …", Font::text, t(Token::accent), Align::right);
  else if (chord.empty()) paint.text_in(inner, "none", Font::text, t(Token::faint), Align::right);
  else draw_chord(paint, t, inner, chord);
  const float keys = waits ? 110 : chord.empty() ? 40 : width_of_chord(paint, chord) + 8;
  paint.text_in({inner.x, inner.y, inner.w - keys, inner.h}, action.title, Font::text,
                t(own ? Token::accent : Token::ink));
  if (response.clicked) kept.waiting = waits ? "" : action.id;
}

/// Groups in columns, none broken over two where it can be helped.
void draw_groups(App& app, Ui& ui, Rect area, KeysKept& kept) {
  const int columns = area.w > 640 ? 2 : 1;
  const float width = (area.w - 12 - 28 * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  std::vector<float> heights(static_cast<std::size_t>(columns), 0.F);
  const Clip clip(ui.paint(), area);
  for (const auto& [group, title] : key_groups) {
    const auto shortest = static_cast<std::size_t>(std::ranges::min_element(heights) - heights.begin());
    const float x = area.x + static_cast<float>(shortest) * (width + 28);
    float& y = heights[shortest];
    draw_heading(ui, {x + 8, area.y + y - kept.offset, width, key_heading}, title);
    y += key_heading;
    for (const Command& action : commands()) {
      if (group != std::string_view(action.group)) continue;
      const Rect row{x, area.y + y - kept.offset, width, key_row};
      if (row.meets(area)) draw_action(app, ui, row, action, kept);
      y += key_row;
    }
  }
  ui.scroll("scroll", area, std::ranges::max(heights) + 8, kept.offset);
}

}  // namespace

void draw_keys(App& app, Ui& ui, Rect window, const std::string&) {
  auto& kept = ui.memory<KeysKept>("keys");
  if (app.modal.is_new()) kept = {};
  take_chord(ui, kept);
  Rect area = draw_sheet(app, ui, window,
                         {.title = "Keys",
                          .subtitle = "click an action, then press its chord; Delete takes it away",
                          .width = 900,
                          .height = 760});
  Rect foot = area.take_bottom(58).inset(0, 13);
  draw_groups(app, ui, area, kept);
  const std::string given = draw_answers(ui, foot, {{"done", "Close", "", true}, {"reset", "All as usual", ""}});
  if (given == "done") app.modal.close();
  if (given == "reset") ui.act("window bind");
}

}  // namespace trellis::gui
