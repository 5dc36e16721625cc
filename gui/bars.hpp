#pragma once
// What is drawn around the panes: the top bar, headers with tabs and steppers, the status bar, tooltips.

#include "gui/app.hpp"

namespace trellis::gui {

void draw_top_bar(App& app, Ui& ui, Rect area);
void draw_pane_header(App& app, Ui& ui, const Placed& placed, Rect area, const Scene& scene);
/// Takes from `rest` what the tabs of a stack need.
void draw_tabs(App& app, Ui& ui, const Placed& placed, Rect& rest);
/// While a tab is dragged: where it may be dropped.
void draw_docking(App& app, const Arrangement& arrangement);
/// "left"; "tab" is into the stack itself.
std::optional<Side> side_named(std::string_view name);
void draw_status_bar(App& app, Ui& ui, Rect area);
/// What the last item said about itself, beside the pointer.
void draw_tooltip(Ui& ui, Rect window);
/// First, back, play, forth, last, and where it stands: asks for `window first REPLAY` and so on.
void draw_stepper(App& app, Ui& ui, const std::string& replay, char side, Rect area);

}  // namespace trellis::gui
