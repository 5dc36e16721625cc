#pragma once
// What lies above the panes until it is closed: palette, gallery, keys, questions, the tour.

#include "gui/app.hpp"

namespace trellis::gui {

/// Whether `window NAME` opens one: "palette layout".
bool is_overlay(std::string_view name);
/// Of App::overlay(); nothing when that is empty.
void draw_overlay(App& app, Ui& ui, Rect window);

}  // namespace trellis::gui
