#pragma once
// The one table of what the window can do besides commands of the language. Palette, shortcuts, help, menus and the
// list of keys are drawn from it, and scripts and the console are carried out by it: each row is the text of a command,
// so that keyboard, mouse, scripts and log all say the same.
//
//   larger       Larger           Ctrl++   window scale up     its own row: an action, which stands in the palette
//                                          window scale        a command with arguments, which only has words

#include <string>
#include <string_view>
#include <vector>

#include "gui/carry_out.hpp"

namespace trellis::gui {

struct Command {
  const char* id = "";     ///< "larger": what a binding names; "": it is no action, and has only words
  const char* title = "";  ///< "Larger"
  const char* chord = "";  ///< the usual one (shortcuts.hpp); "" for none
  const char* text = "";   ///< "window scale up"
  const char* group = "";  ///< "file", "edit", "replay", "window", "schedule", "help"
  /// Null: a shorter row does it with what stands behind its own words, or else the language.
  void (*does)(App&, const Said&) = nullptr;
  /// Says why it cannot be done now: in words for a note, or "" where nothing need be said; null when it can. Null
  /// itself: it always can.
  const char* (*refusal)(App&) = nullptr;
};

/// Actions first, in the order in which they are shown.
const std::vector<Command>& commands();
/// The action of that id, which must be one.
const Command& action(std::string_view id);
/// The row that does it: the one with the most words that the text begins with. Null: none of the window's.
const Command* command_for(std::string_view text);

}  // namespace trellis::gui
