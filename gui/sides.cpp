#include "gui/sides.hpp"

#include <algorithm>
#include <array>

namespace trellis::gui {

Colour side_colour(const Theme& theme, char side) { return theme(side == 'A' ? Token::accent : Token::index4); }

void draw_side(Paint& paint, const Theme& theme, Point centre, float size, char side) {
  const float way = (side == 'A' ? -1.F : 1.F) * size / 2;
  paint.polygon(std::array{Point{centre.x + way, centre.y}, Point{centre.x - way, centre.y + size / 2},
                           Point{centre.x - way, centre.y - size / 2}},
                side_colour(theme, side));
}

void draw_side_corner(Paint& paint, const Theme& theme, Rect cell, char side) {
  const float size = std::min(9.F, std::min(cell.w, cell.h) * 0.5F);
  const bool left = side == 'A';
  const Point corner{left ? cell.x : cell.right(), cell.y};
  paint.polygon(std::array{corner, Point{corner.x + (left ? size : -size), corner.y}, Point{corner.x, corner.y + size}},
                side_colour(theme, side));
}

}  // namespace trellis::gui
