#pragma once
// A plane to look at through a pane: pan by dragging or wheel, zoom at the pointer, fit. Places scale; letters do not:
// they are drawn in the baked size that fits, so that they stay crisp.

#include <optional>

#include "gui/ui.hpp"

namespace trellis::gui {

class Canvas {
 public:
  /// Of the pane that is being drawn; `world` is what there is to see. Handles dragging, Ctrl+wheel and the key F.
  /// Until the user moves it, it fits. Buttons in the lower right corner do the same. What would have to be smaller
  /// than `least_fit` to be seen as a whole is fitted at that, from its top. Nobody comes nearer than `most_zoom`.
  Canvas(Ui& ui, const std::string& name, Rect area, Rect world, float largest_zoom = 1.25F, float least_fit = 0.05F,
         float most_zoom = 4);

  Point to_window(Point world) const { return {origin_.x + world.x * zoom_, origin_.y + world.y * zoom_}; }
  Rect to_window(Rect world) const {
    const Point at = to_window(Point{world.x, world.y});
    return {at.x, at.y, world.w * zoom_, world.h * zoom_};
  }
  Point to_world(Point window) const { return {(window.x - origin_.x) / zoom_, (window.y - origin_.y) / zoom_}; }
  float zoom() const { return zoom_; }
  /// The monospaced font for text that takes 8 units a character in the world.
  Font font() const { return mono_for(8 * zoom_); }
  /// Letters of that font go with what stands around them, rather than run over it.
  bool legible() const { return advance_of(font()) <= 8 * zoom_ * 1.1F; }
  /// To be drawn in: what is cut off at an edge is seen to go on, what buttons hide is not.
  Rect above_buttons() const;
  /// Not all of the world can be seen.
  bool cut_off() const { return cut_off_; }
  /// Moves the view, if it must, so that this can be seen.
  void show(Rect world);
  /// Its middle comes into the middle, and letters are large enough to be read.
  void look_at(Rect world);
  /// Moves the view so that the one lies where the other is.
  void bring(Point world, Point window);
  /// Draws the buttons and how large all is, above what stands there.
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

 private:
  struct Kept {
    bool moved = false;  ///< by the user
    float zoom = 1;
    Point centre;  ///< in the world
  };
  void zoom_by(float factor, Point around);
  Ui& ui_;
  Kept& kept_;
  Rect area_;
  const float most_zoom_;
  float zoom_ = 1;
  bool cut_off_ = false;
  Point origin_;
  void place();
};

}  // namespace trellis::gui
