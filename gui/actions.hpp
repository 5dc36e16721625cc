#pragma once
// Everything that has a key or stands in the palette besides commands of the language: each is a command text, so that
// keyboard, mouse, scripts and the console's log all say the same.

#include <string>
#include <string_view>
#include <vector>

#include "gui/settings.hpp"

namespace trellis::gui {

struct Action {
  const char* id;       ///< "palette": what a binding names
  const char* title;    ///< "Search, or a command"
  const char* chord;    ///< the usual one; "" for none
  const char* command;  ///< "window palette"
  const char* group;    ///< "file", "edit", "replay", "window", "schedule", "help"
};
const std::vector<Action>& actions();
/// The chord that it has now.
std::string chord_of(const Action& action, const Settings& settings);
/// A chord in its usual spelling: "ctrl+shift+p" is "Ctrl+Shift+P". Empty: it is none.
std::string chord_from(std::string_view text);

}  // namespace trellis::gui
