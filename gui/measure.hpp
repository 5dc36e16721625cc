#pragma once
// Figures, not tests: how long one waits for the explorer. With a window that shows the script's frames, showing is in
// them.

#include <functional>
#include <string>

#include "gui/script.hpp"

namespace trellis::gui {

/// Medians, 95th percentiles and worst ones in milliseconds, of the program that is open; each line is reported as soon
/// as it is known:
///   edit    from one changed character to the new C on screen, over the characters of the text
///   step    a frame in which the replay moves on
///   drag    a frame in which a loop is dragged
///   pan     a frame in which a graph of 5 000 edges is moved
///   memory  of the process before and after so many edits
void measure(Script& script, int edits, const std::function<void(const std::string&)>& report);

}  // namespace trellis::gui
