#pragma once
// What views draw with: shapes and text in the window's units, onto ImGui's list of triangles and, while a view is
// exported, onto an SVG as well. One stroke of the brush is one call, so that both show the same.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/fonts.hpp"
#include "gui/geometry.hpp"
#include "gui/theme.hpp"

struct ImDrawList;

namespace trellis::gui {

class Svg;

enum class Align { left, centre, right };
enum class Verdict { legal, illegal, costly, unknown, refused, ready, waits };

class Paint {
 public:
  Paint(ImDrawList& list, const Fonts& fonts, Svg* svg = nullptr);

  void fill(Rect area, Colour colour, float radius = 0);
  void outline(Rect area, Colour colour, float thickness = 1, float radius = 0);
  /// `phase` moves the dashes along, in units.
  void dashed(Rect area, Colour colour, float thickness = 1.5F, float radius = 0, float phase = 0);
  /// Lines at 45 degrees: nothing is there yet.
  void hatch(Rect area, Colour colour, float spacing = 6);
  void line(Point from, Point to, Colour colour, float thickness = 1);
  void dashed_line(std::span<const Point> points, Colour colour, float thickness = 1.5F, float phase = 0);
  /// One pixel wide, with steps: quick, for what moves.
  void rough_line(std::span<const Point> points, Colour colour);
  void polyline(std::span<const Point> points, Colour colour, float thickness = 1, bool closed = false);
  void polygon(std::span<const Point> points, Colour colour);  ///< convex
  void disc(Point centre, float radius, Colour colour);
  void ring(Point centre, float radius, Colour colour, float thickness = 1.5F);
  void dashed_ring(Point centre, float radius, Colour colour, float thickness = 1.5F);
  /// Part of a ring, clockwise from the top; both in turns.
  void arc(Point centre, float radius, float from, float to, Colour colour, float thickness = 2);
  /// Its tip, and where it comes from.
  void arrow_head(Point tip, Point from, Colour colour, float size = 7);
  /// The icon of a verdict, each with a shape of its own (tokens: verdicts).
  void verdict(Point centre, Verdict verdict, const Theme& theme, float radius = 7);

  /// `at` is the upper left corner; the result is the width.
  float text(Point at, std::string_view characters, Font font, Colour colour);
  /// Within the area, in the middle of its height, shortened with … where it does not fit.
  void text_in(Rect area, std::string_view characters, Font font, Colour colour, Align align = Align::left);
  /// Broken into lines between words; the result is the height.
  float paragraph(Rect area, std::string_view characters, Font font, Colour colour);
  float paragraph_height(float width, std::string_view characters, Font font) const;
  float width(std::string_view characters, Font font) const;
  float height(Font font) const;

  void clip(Rect area);  ///< within the clip so far
  void unclip();
  const Rect& clipped() const { return clips_.back(); }

 private:
  std::vector<std::string_view> lines(float width, std::string_view characters, Font font) const;
  ImDrawList& list_;
  const Fonts& fonts_;
  Svg* svg_;
  std::vector<Rect> clips_;
};

/// For the time of a block.
class Clip {
 public:
  Clip(Paint& paint, Rect area) : paint_(paint) { paint_.clip(area); }
  ~Clip() { paint_.unclip(); }
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;

 private:
  Paint& paint_;
};

/// Points along a cubic Bézier curve, both ends among them.
std::vector<Point> along(Point a, Point b, Point c, Point d, int parts = 16);

}  // namespace trellis::gui
