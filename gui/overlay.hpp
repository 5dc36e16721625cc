#pragma once
// What lies above the panes until it is closed: palette, gallery, keys, questions, the tour.

#include "gui/app.hpp"

namespace trellis::gui {

/// What is open (Modal), and the note at the lower edge.
void draw_overlay(App& app, Ui& ui, Rect window);

}  // namespace trellis::gui
