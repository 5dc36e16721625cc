#pragma once
// Points and rectangles of the window, in units that are pixels at scale 1; x grows to the right and y downwards.

#include <algorithm>

namespace trellis::gui {

struct Point {
  float x = 0, y = 0;
  Point operator+(Point o) const { return {x + o.x, y + o.y}; }
  Point operator-(Point o) const { return {x - o.x, y - o.y}; }
  Point operator*(float f) const { return {x * f, y * f}; }
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point centre() const { return {x + w / 2, y + h / 2}; }
  bool empty() const { return w <= 0 || h <= 0; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool meets(const Rect& o) const { return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom(); }
  Rect inset(float by) const { return {x + by, y + by, w - 2 * by, h - 2 * by}; }
  Rect inset(float across, float down) const { return {x + across, y + down, w - 2 * across, h - 2 * down}; }
  Rect moved(Point by) const { return {x + by.x, y + by.y, w, h}; }
  Rect cut(const Rect& o) const {
    const float left = std::max(x, o.x), top = std::max(y, o.y);
    return {left, top, std::max(0.f, std::min(right(), o.right()) - left),
            std::max(0.f, std::min(bottom(), o.bottom()) - top)};
  }
  Rect around(const Rect& o) const {
    const float left = std::min(x, o.x), top = std::min(y, o.y);
    return {left, top, std::max(right(), o.right()) - left, std::max(bottom(), o.bottom()) - top};
  }
  // What is cut off is returned, and the rest stays.
  Rect take_left(float by) { return by = std::clamp(by, 0.f, w), x += by, w -= by, Rect{x - by, y, by, h}; }
  Rect take_right(float by) { return by = std::clamp(by, 0.f, w), w -= by, Rect{right(), y, by, h}; }
  Rect take_top(float by) { return by = std::clamp(by, 0.f, h), y += by, h -= by, Rect{x, y - by, w, by}; }
  Rect take_bottom(float by) { return by = std::clamp(by, 0.f, h), h -= by, Rect{x, bottom(), w, by}; }
  bool operator==(const Rect&) const = default;
};

}  // namespace trellis::gui
