#pragma once
// Chords, such as "Ctrl+Shift+P", and what they do.

#include <string>
#include <string_view>

#include "gui/commands.hpp"
#include "gui/settings.hpp"

namespace trellis::gui {

/// The chord that an action has now.
std::string chord_of(const Command& action, const Settings& settings);
/// A chord in its usual spelling: "ctrl+shift+p" is "Ctrl+Shift+P". Empty: it is none.
std::string chord_from(std::string_view text);
/// At the end of a frame: asks for what the chords stand for that no pane and no overlay has taken.
void take_keys(App& app);

}  // namespace trellis::gui
