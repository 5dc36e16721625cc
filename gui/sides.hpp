#pragma once
// The two sides of a comparison have a colour and a shape each, which are no verdicts: A is blue and points to the
// left, where it stands, B is pink and points to the right.

#include "gui/paint.hpp"

namespace trellis::gui {

Colour side_colour(const Theme& theme, char side);
/// A triangle in the room of one letter.
void draw_side(Paint& paint, const Theme& theme, Point centre, float size, char side);
/// In the upper corner of a cell, on the side that it points to.
void draw_side_corner(Paint& paint, const Theme& theme, Rect cell, char side);

}  // namespace trellis::gui
