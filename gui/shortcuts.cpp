#include "gui/shortcuts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "gui/app.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

bool is_modified(const std::string& chord) {
  return chord.starts_with("Ctrl+") || chord.starts_with("Alt+") || (chord[0] == 'F' && chord.size() > 1) ||
         chord == "Escape";
}

/// With these a text field does something of its own.
bool is_of_fields(const std::string& chord) {
  return chord == "Tab" || chord == "Ctrl+Z" || chord == "Ctrl+Y" || chord == "Ctrl+C";
}

}  // namespace

std::string chord_of(const Command& action, const Settings& settings) {
  const auto own = settings.keys.find(action.id);
  return own == settings.keys.end() ? action.chord : own->second;
}

std::string chord_from(std::string_view text) {
  std::string key;
  bool ctrl = false, alt = false, shift = false;
  while (!text.empty()) {
    // The key itself may be `+`.
    const std::size_t plus = text.find('+', 1);
    std::string part(text.substr(0, plus));
    text.remove_prefix(plus == std::string_view::npos ? text.size() : plus + 1);
    std::string lower = part;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "ctrl") ctrl = true;
    else if (lower == "alt") alt = true;
    else if (lower == "shift") shift = true;
    else key = lower;
  }
  if (key.empty()) return "";
  static constexpr std::array named = {"Left",  "Right",  "Up",  "Down",  "Home",      "End",    "PageUp", "PageDown",
                                       "Enter", "Escape", "Tab", "Space", "Backspace", "Delete", "Insert"};
  std::string spelling;
  for (const char* name : named) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == key) spelling = name;
  }
  if (spelling.empty()) {
    spelling = key;
    spelling[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(spelling[0])));
    const bool function =
        spelling[0] == 'F' && spelling.size() > 1 && std::isdigit(static_cast<unsigned char>(spelling[1]));
    if (spelling.size() > 1 && !function) return "";
  }
  return std::string(ctrl ? "Ctrl+" : "") + (alt ? "Alt+" : "") + (shift ? "Shift+" : "") + spelling;
}

void take_keys(App& app) {
  Ui& ui = app.ui;
  const bool typing = !ui.text_field().empty();
  if (app.modal.is_open()) {
    if (ui.key("Escape", true)) app.carry_out("window let go");
    if (!typing) ui.walk_focus("overlay");
    return;
  }
  if (!typing) ui.walk_focus(app.panes.active());
  for (const Command& action : commands()) {
    const std::string chord = chord_of(action, app.settings);
    if (chord.empty() || (typing && (!is_modified(chord) || is_of_fields(chord)))) continue;
    if (ui.key(chord, true)) ui.act(action.text);
  }
  const auto& visible = app.panes.visible();
  for (std::size_t i = 0; i < std::min<std::size_t>(9, visible.size()); ++i)
    if (ui.key("Ctrl+" + std::to_string(i + 1), true)) app.panes.activate(visible[i]);
}

void doing::bind(App& app, const Said& said) {
  Settings& settings = app.settings;
  const auto [name, wanted] = split_word(said.rest);
  if (name.empty()) return settings.keys.clear();
  const auto action = std::ranges::find(commands(), name, [](const Command& one) { return std::string(one.id); });
  if (action == commands().end()) return app.console.say(said.whole, "there is no action " + name, true);
  const std::string chord = wanted == "none" ? "" : wanted.empty() ? action->chord : chord_from(wanted);
  if (chord.empty() && !wanted.empty() && wanted != "none")
    return app.console.say(said.whole, "no such key: " + wanted, true);
  // A chord does one thing: who had it has none.
  for (const Command& other : commands())
    if (&other != &*action && !chord.empty() && chord_of(other, settings) == chord) {
      settings.keys[other.id] = "";
      app.notes.say(chord + " was “" + other.title + "”, which has no key now");
    }
  if (chord == action->chord) settings.keys.erase(action->id);
  else settings.keys[action->id] = chord;
  app.console.say(said.whole, "");
}

}  // namespace trellis::gui
