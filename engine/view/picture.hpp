#pragma once
// A picture as a value: shapes in the order in which they are painted, on white. PNG and SVG are made of the same one.
// Coordinates are pixels, right and down from 0.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/view/canvas.hpp"

namespace trellis::view {

inline constexpr Colour white{255, 255, 255}, black{20, 20, 20};

struct Picture {
  struct Rectangle {
    int x, y, width, height;
    Colour colour;
  };
  /// Straight from point to point, two pixels wide.
  struct Line {
    std::vector<std::pair<double, double>> points;
    Colour colour;
  };
  /// ASCII in black, its top at y.
  struct Label {
    int x, y;
    std::string text;
    Canvas::Align align;
  };
  /// Cells by rows, stretched over a rectangle.
  struct Raster {
    int x, y, width, height;
    int rows, columns;
    std::vector<Colour> cells;
  };
  using Shape = std::variant<Rectangle, Line, Label, Raster>;

  int width = 0, height = 0;
  std::vector<Shape> shapes = {};
};

std::string to_png(const Picture& picture);
/// With letters as text and rasters as embedded images, a pixel for each cell.
std::string to_svg(const Picture& picture);

}  // namespace trellis::view
