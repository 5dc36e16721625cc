#pragma once
// Pictures of the window and its panes, as files.

#include "gui/surface.hpp"

namespace trellis::gui {

/// Draws what was asked for since the last call, and notes what came of it; `surface` has drawn the app's last frame of
/// that size.
void make_pictures(App& app, Surface& surface, float width, float height);

}  // namespace trellis::gui
