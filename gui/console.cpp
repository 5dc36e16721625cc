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
  const auto entry = std::find_if(entries.rbegin(), entries.rend(), [&](const ConsoleEntry& e) { return e.version == answer.version; });
  if (entry == entries.rend()) return;
  entry->done = true;
  entry->failed = answer.exit != session::Exit::success;
  entry->output = answer.output;
  entry->messages = answer.messages;
}

}  // namespace trellis::gui
