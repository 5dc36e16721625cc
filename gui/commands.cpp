#include "gui/commands.hpp"

#include <stdexcept>

namespace trellis::gui {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"palette", "Search, or a command", "Ctrl+P", "window palette", "window", doing::open_modal},
      {"find", "Find in this pane", "Ctrl+F", "window find", "window", doing::find},
      {"open", "Open a file", "Ctrl+O", "window open", "file", doing::open},
      {"gallery", "Examples", "Ctrl+G", "window gallery", "file", doing::open_modal},
      {"new", "New program", "Ctrl+N", "window new", "file", doing::new_program},
      {"save", "Save", "Ctrl+S", "window save", "file", doing::save},
      {"save as", "Save as", "Ctrl+Shift+S", "window save as", "file", doing::save_as},
      {"export", "Export this view", "Ctrl+E", "window export", "file", doing::export_view},
      {"export report", "Export the session as a report", "Ctrl+Shift+E", "window export report", "file"},
      {"quit", "Leave", "Ctrl+Q", "window quit", "file", doing::quit},
      {"undo", "Undo", "Ctrl+Z", "window undo", "edit", doing::undo},
      {"redo", "Redo", "Ctrl+Y", "window redo", "edit", doing::redo},
      {"first fix", "Apply the first fix", "Ctrl+.", "fix 1", "edit"},
      {"run", "Run", "Ctrl+Enter", "run", "schedule"},
      {"check", "Check against the reference", "Ctrl+Shift+Enter", "check", "schedule"},
      {"time", "Time", "Ctrl+T", "time", "schedule"},
      {"orders time", "Measure every legal order", "Ctrl+Shift+T", "orders time", "schedule"},
      {"cancel", "End what is under way", "Ctrl+C", "window cancel", "schedule", doing::cancel},
      {"compare", "Compare: make this schedule side B", "Ctrl+D", "window compare", "schedule", doing::compare},
      {"play", "Play, stop", "Space", "window play", "replay", doing::play},
      {"step", "Step", "Right", "window step", "replay", doing::step},
      {"back", "Step back", "Left", "window back", "replay", doing::back},
      {"next event", "To the next violation, exhaustion or refusal", "Shift+Right", "window next event", "replay",
       doing::next_event},
      {"last event", "To the one before", "Shift+Left", "window last event", "replay", doing::last_event},
      {"first", "To the beginning", "Home", "window first", "replay", doing::first},
      {"last", "To the end", "End", "window last", "replay", doing::last},
      {"instance", "Back to the instance", "I", "window instance", "replay", doing::instance, doing::no_instance},
      {"poisoned", "Run the illegal order all the same", "R", "window poisoned", "replay", doing::poisoned},
      {"predict", "Predict: hide verdicts and what comes next", "P", "window predict", "replay", doing::predict},
      {"next pane", "Keys to the next pane", "Tab", "window next pane", "window", doing::next_pane},
      {"last pane", "Keys to the pane before", "Shift+Tab", "window last pane", "window", doing::last_pane},
      {"let go", "Let go of what is pinned, close, cancel", "Escape", "window let go", "window", doing::let_go},
      {"preset learn", "Layout: Learn", "Ctrl+F1", "window preset learn", "window"},
      {"preset illegal", "Layout: Illegal order", "Ctrl+F2", "window preset illegal", "window"},
      {"preset lattice", "Layout: Lattice", "Ctrl+F3", "window preset lattice", "window"},
      {"preset compare", "Layout: Compare", "Ctrl+F4", "window preset compare", "window"},
      {"preset tune", "Layout: Tune", "Ctrl+F5", "window preset tune", "window"},
      {"close pane", "Close this pane", "Ctrl+W", "window close", "window", doing::close, doing::not_closed},
      {"reset layout", "Put the layout back as it was", "", "window reset layout", "window", doing::reset_layout},
      {"theme", "The next theme", "Ctrl+K", "window theme next", "window", doing::next_theme},
      {"larger", "Larger", "Ctrl++", "window scale up", "window", doing::larger},
      {"smaller", "Smaller", "Ctrl+-", "window scale down", "window", doing::smaller},
      {"usual size", "The usual size", "Ctrl+0", "window scale 1", "window"},
      {"motion", "Less motion, or more", "", "window motion", "window", doing::motion},
      {"navigate back", "Back to where I was", "Alt+Left", "window navigate back", "window", doing::navigate_back,
       doing::nothing_before},
      {"navigate forth", "Forth again", "Alt+Right", "window navigate forth", "window", doing::navigate_forth,
       doing::nothing_after},
      {"last pass", "The stage before", "[", "window pass back", "replay", doing::last_pass},
      {"next pass", "The stage after", "]", "window pass forth", "replay", doing::next_pass},
      {"console", "To the console", "Ctrl+J", "window console", "window", doing::to_console},
      {"help", "Help about this pane", "F1", "window help", "help", doing::open_modal},
      {"keys", "All keys", "Ctrl+F12", "window keys", "help", doing::open_modal},
      {"tour", "A tour in five steps", "", "window tour", "help", doing::open_modal},
      {"lesson", "Lessons", "", "tutorial 1", "help"},
      {"quiz", "Quiz", "", "quiz", "help", doing::quiz},
      // Only words.
      {.text = "window unsaved", .does = doing::open_modal},
      {.text = "window drop", .does = doing::drop},
      {.text = "window stay", .does = doing::stay},
      {.text = "window recover", .does = doing::recover},
      {.text = "window reload", .does = doing::reload},
      {.text = "window pane", .does = doing::pane},
      {.text = "window dock", .does = doing::dock},
      {.text = "window preset", .does = doing::preset},
      {.text = "window lead", .does = doing::lead},
      {.text = "window theme", .does = doing::theme},
      {.text = "window scale", .does = doing::scale},
      {.text = "window backend", .does = doing::backend},
      {.text = "window bind", .does = doing::bind},
      {.text = "window kernel", .does = doing::kernel},
      {.text = "window pin", .does = doing::pin},
      {.text = "window unpin", .does = doing::unpin},
      {.text = "window select", .does = doing::select},
      {.text = "window preview", .does = doing::preview},
      {.text = "window goto", .does = doing::go_to},
      {.text = "window ask", .does = doing::ask},
      {.text = "undo", .does = doing::undo},
      {.text = "redo", .does = doing::redo},
      {.text = "fix", .does = doing::fix},
      {.text = "tutorial", .does = doing::teach},
      {.text = "clear", .does = doing::clear},
      {.text = "source", .does = doing::source},
      {.text = "quit", .does = doing::quit},
      {.text = "exit", .does = doing::quit}};
  return all;
}

const Command& action(std::string_view id) {
  for (const Command& one : commands())
    if (one.id == id) return one;
  throw std::logic_error("no action " + std::string(id));
}

const Command* command_for(std::string_view text) {
  const Command* best = nullptr;
  for (const Command& one : commands()) {
    const std::string_view words = one.text;
    const bool begins = text.starts_with(words) && (text.size() == words.size() || text[words.size()] == ' ');
    if (one.does && begins && (!best || words.size() > std::string_view(best->text).size())) best = &one;
  }
  return best;
}

}  // namespace trellis::gui
