#include "gui/console.hpp"

#include <algorithm>

namespace trellis::gui {
namespace {
constexpr std::size_t most_entries = 500;
}

ConsoleEntry& Console::add(const std::string& command) {
  if (!entries.empty() && entries.back().command == command && entries.back().version == 0) {
    ++entries.back().times;
    return entries.back();
  }
  if (entries.size() >= most_entries) entries.erase(entries.begin());
  entries.emplace_back();
  entries.back().command = command;
  return entries.back();
}

void Console::say(const std::string& command, const std::string& output, bool failed) {
  ConsoleEntry& entry = add(command);
  entry.done = true, entry.failed = failed;
  entry.output = output;
}

void Console::answered(const session::Answer& answer) {
  const auto entry = std::find_if(entries.rbegin(), entries.rend(),
                                  [&](const ConsoleEntry& e) { return e.version == answer.version; });
  if (entry == entries.rend()) return;
  entry->done = true;
  entry->failed = answer.exit != session::Exit::success;
  entry->output = answer.output;
  entry->messages = answer.messages;
}

std::string Console::enter() {
  const std::string& text = line.text();
  int depth = 0;
  for (const char c : text) depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
  if (depth > 0) {
    line.place_caret(text.size(), false);
    line.new_line();
    return "";
  }
  std::string entry = text;
  while (!entry.empty() && (entry.back() == ' ' || entry.back() == '\n')) entry.pop_back();
  entry.erase(0, std::min(entry.find_first_not_of(" \n"), entry.size()));
  line.reset("");
  draft.clear();
  if (!entry.empty() && (history.empty() || history.back() != entry)) history.push_back(entry);
  at = history.size();
  return entry;
}

void Console::recall(bool earlier) {
  at = std::min(at, history.size());
  if (earlier ? at == 0 : at == history.size()) return;
  if (at == history.size()) draft = line.text();
  at += earlier ? -1 : 1;
  line.reset(at == history.size() ? draft : history[at]);
  line.place_caret(line.text().size(), false);
}

std::optional<std::size_t> Console::search(const std::string& words, std::size_t before) const {
  for (std::size_t i = std::min(before, history.size()); i-- > 0;)
    if (history[i].find(words) != std::string::npos) return i;
  return std::nullopt;
}

}  // namespace trellis::gui
