#pragma once
// What the console shows: every action as the command that it is, and what came of it.

#include <optional>
#include <string>
#include <vector>

#include "engine/session/live/worker.hpp"
#include "gui/editor.hpp"

namespace trellis::gui {

struct ConsoleEntry {
  std::string command;
  std::uint64_t version = 0;  ///< of the request that will answer; 0: the window has carried it out
  int times = 1;              ///< the same one again and again shows as one
  bool done = false, failed = false;
  std::string output, messages;
  bool unfolded = false;           ///< all of what came of it is shown
  bool edits = false;              ///< the text, and what that makes of the order is not known yet
  std::optional<bool> legal = {};  ///< what it made of the order
};

struct Console {
  std::vector<ConsoleEntry> entries;
  Editor line;                       ///< being typed
  std::vector<std::string> history;  ///< entries that were typed, oldest first
  std::size_t at = 0;                ///< in the history; its size: the line that is being typed
  std::string draft = {};            ///< what was being typed when the history was opened

  /// A new entry, or once more the last one. The result is valid until the next call.
  ConsoleEntry& add(const std::string& command);
  /// Something that the window has done or refused.
  void say(const std::string& command, const std::string& output, bool failed = false);
  void answered(const session::Answer& answer);

  /// The line as an entry, which then is empty; "" when a bracket is open or nothing stands there.
  std::string enter();
  /// Earlier entries, and back to what was being typed.
  void recall(bool earlier);
  /// The latest entry before number `before` of the history that holds the words; its number, or none.
  std::optional<std::size_t> search(const std::string& words, std::size_t before) const;
};

}  // namespace trellis::gui
