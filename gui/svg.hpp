#pragma once
// An SVG in the making: what Paint paints, with letters as text.

#include <span>
#include <string>
#include <string_view>

#include "gui/geometry.hpp"
#include "gui/theme.hpp"

namespace trellis::gui {

class Svg {
 public:
  /// The part of the window that it shows.
  explicit Svg(Rect area) : area_(area) {}

  void rect(Rect area, Colour fill, Colour stroke, float thickness, float radius, bool dashed = false);
  void path(std::span<const Point> points, Colour fill, Colour stroke, float thickness, bool closed,
            bool dashed = false);
  void circle(Point centre, float radius, Colour fill, Colour stroke, float thickness, bool dashed = false);
  /// `at` is where the line of letters stands.
  void text(Point at, std::string_view characters, float size, bool mono, bool strong, Colour colour);
  void clip(Rect area);
  void unclip();
  std::string finished() const;

 private:
  Rect area_;
  std::string body_;
  int clips_ = 0;
};

}  // namespace trellis::gui
