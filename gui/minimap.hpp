#pragma once
// What helps in a drawing of which not all can be seen, or whose letters are too small to be read: all of it in a
// corner, with what is seen; names of tensors where their boxes lie, always as large; and the way to what one looks
// for.

#include "gui/drawing_view.hpp"

namespace trellis::gui {

/// In the upper right corner, where the drawing is cut off. A press on it goes there.
void draw_minimap(Ui& ui, PlacedDrawing& placed, const view::Drawing& drawing, Rect area);

/// Where letters are too small: the tensor of each group of boxes in its middle, the largest groups first, none over
/// another.
void draw_group_names(Ui& ui, const PlacedDrawing& placed, const view::Drawing& drawing, Rect area);

/// Of words that are looked for in the pane: boxes that have them are outlined, and the one that is looked at comes
/// into the middle, large enough to be read.
void fly_to_found(Ui& ui, PlacedDrawing& placed, const view::Drawing& drawing);

}  // namespace trellis::gui
