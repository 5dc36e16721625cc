#pragma once
// The window: GLFW and OpenGL 3. Frames are drawn when something happened, and otherwise not at all.

#include <functional>
#include <string>

#include "gui/app.hpp"

namespace trellis::gui {

struct WindowOptions {
  int width = 1600, height = 1000;
  float scale = 0;  ///< pixels a unit; 0: what the display says
};

/// Until the user leaves. The result is the exit code; a window system that is not there is one clear line on standard
/// error.
int run_window(App::Start start, const std::string& file, const WindowOptions& options);

class Script;
/// Calls `work` while a window shows the script's frames and gives the pixels for its pictures. Throws
/// std::runtime_error without a display.
void show_in_window(Script& script, const std::function<void()>& work);

}  // namespace trellis::gui
