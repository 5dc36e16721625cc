#include "gui/actions.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace trellis::gui {

const std::vector<Action>& actions() {
  static const std::vector<Action> all = {
      {"palette", "Search, or a command", "Ctrl+P", "window palette", "window"},
      {"find", "Find in this pane", "Ctrl+F", "window find", "window"},
      {"open", "Open a file", "Ctrl+O", "window open", "file"},
      {"gallery", "Examples", "Ctrl+G", "window gallery", "file"},
      {"new", "New program", "Ctrl+N", "window new", "file"},
      {"save", "Save", "Ctrl+S", "window save", "file"},
      {"save as", "Save as", "Ctrl+Shift+S", "window save as", "file"},
      {"export", "Export this view", "Ctrl+E", "window export", "file"},
      {"export report", "Export the session as a report", "Ctrl+Shift+E", "window export report", "file"},
      {"quit", "Leave", "Ctrl+Q", "window quit", "file"},
      {"undo", "Undo", "Ctrl+Z", "window undo", "edit"},
      {"redo", "Redo", "Ctrl+Y", "window redo", "edit"},
      {"first fix", "Apply the first fix", "Ctrl+.", "fix 1", "edit"},
      {"run", "Run", "Ctrl+Enter", "run", "schedule"},
      {"check", "Check against the reference", "Ctrl+Shift+Enter", "check", "schedule"},
      {"time", "Time", "Ctrl+T", "time", "schedule"},
      {"orders time", "Measure every legal order", "Ctrl+Shift+T", "orders time", "schedule"},
      {"cancel", "End what is under way", "Ctrl+C", "window cancel", "schedule"},
      {"compare", "Compare: make this schedule side B", "Ctrl+D", "window compare", "schedule"},
      {"play", "Play, stop", "Space", "window play", "replay"},
      {"step", "Step", "Right", "window step", "replay"},
      {"back", "Step back", "Left", "window back", "replay"},
      {"next event", "To the next violation, exhaustion or refusal", "Shift+Right", "window next event", "replay"},
      {"last event", "To the one before", "Shift+Left", "window last event", "replay"},
      {"first", "To the beginning", "Home", "window first", "replay"},
      {"last", "To the end", "End", "window last", "replay"},
      {"instance", "Back to the instance", "I", "window instance", "replay"},
      {"poisoned", "Run the illegal order all the same", "R", "window poisoned", "replay"},
      {"predict", "Predict: hide verdicts and what comes next", "P", "window predict", "replay"},
      {"next pane", "Keys to the next pane", "Tab", "window next pane", "window"},
      {"last pane", "Keys to the pane before", "Shift+Tab", "window last pane", "window"},
      {"let go", "Let go of what is pinned, close, cancel", "Escape", "window let go", "window"},
      {"preset learn", "Layout: Learn", "Ctrl+F1", "window preset learn", "window"},
      {"preset illegal", "Layout: Illegal order", "Ctrl+F2", "window preset illegal", "window"},
      {"preset lattice", "Layout: Lattice", "Ctrl+F3", "window preset lattice", "window"},
      {"preset compare", "Layout: Compare", "Ctrl+F4", "window preset compare", "window"},
      {"preset tune", "Layout: Tune", "Ctrl+F5", "window preset tune", "window"},
      {"close pane", "Close this pane", "Ctrl+W", "window close", "window"},
      {"reset layout", "Put the layout back as it was", "", "window reset layout", "window"},
      {"theme", "The next theme", "Ctrl+K", "window theme next", "window"},
      {"larger", "Larger", "Ctrl++", "window scale up", "window"},
      {"smaller", "Smaller", "Ctrl+-", "window scale down", "window"},
      {"usual size", "The usual size", "Ctrl+0", "window scale 1", "window"},
      {"motion", "Less motion, or more", "", "window motion", "window"},
      {"navigate back", "Back to where I was", "Alt+Left", "window navigate back", "window"},
      {"navigate forth", "Forth again", "Alt+Right", "window navigate forth", "window"},
      {"last pass", "The stage before", "[", "window pass back", "replay"},
      {"next pass", "The stage after", "]", "window pass forth", "replay"},
      {"console", "To the console", "Ctrl+J", "window console", "window"},
      {"help", "Help about this pane", "F1", "window help", "help"},
      {"keys", "All keys", "Ctrl+F12", "window keys", "help"},
      {"tour", "A tour in five steps", "", "window tour", "help"},
      {"lesson", "Lessons", "", "tutorial 1", "help"},
      {"quiz", "Quiz", "", "quiz", "help"}};
  return all;
}

std::string chord_of(const Action& action, const Settings& settings) {
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

}  // namespace trellis::gui
