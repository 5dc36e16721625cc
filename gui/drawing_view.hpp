#pragma once
// Drawings of the engine (view::Drawing) on a canvas: edges as curves with heads, frames, boxes that glide to where
// they stand in the next drawing. Only what can be seen is drawn, with less detail the smaller it is.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/view/drawing.hpp"
#include "gui/canvas.hpp"

namespace trellis::gui {

Rect rect_of(const view::Layout::Box& box);
/// What there is to see of a drawing.
Rect extent_of(const view::Drawing& drawing);

struct EdgeLook {
  Colour colour = 0;
  float thickness = 1.2F;
  bool dashed = false;
  float phase = 0;  ///< of the dashes
  Colour halo = 0;  ///< broad, behind the line; 0: none
};

/// Where the boxes of a drawing stand in the window. When the drawing becomes another one, boxes of the same name glide
/// from where they were; the one that was clicked stays put.
class PlacedDrawing {
 public:
  /// `owner` keeps the drawing alive. `anchor`: the name of a box that stays put, or "".
  PlacedDrawing(Ui& ui, const std::string& name, Rect area, const std::shared_ptr<const void>& owner,
                const view::Drawing& drawing, const std::string& anchor = {});

  Canvas& canvas() { return canvas_; }
  const Canvas& canvas() const { return canvas_; }
  float zoom() const { return canvas_.zoom(); }
  /// Of the node with that place in the list.
  Rect box(std::size_t node) const;
  /// Points of an edge in the window, its tip last; empty where nothing of it can be seen.
  std::vector<Point> curve(std::size_t edge) const;
  Point label(std::size_t edge) const;
  void draw_frames() const;
  void draw_edge(std::size_t edge, const EdgeLook& look) const;

 private:
  struct Kept {
    std::shared_ptr<const void> owner;
    const view::Drawing* drawing = nullptr;
    double began = -1;                         ///< to glide; below 0: nothing moves
    std::map<std::string, Point> stood, from;  ///< centres in the window, by name
    std::map<int, std::size_t> place_of;       ///< of nodes, by id
    std::vector<Rect> edge_bounds;
  };
  void take_up(const std::shared_ptr<const void>& owner, const std::string& anchor);
  Point moved(std::size_t node) const;  ///< from where it will stand to where it is
  Ui& ui_;
  Rect area_;
  const view::Drawing& drawing_;
  Kept& kept_;
  Canvas canvas_;
  float left_ = 0;  ///< of the way, 1 to 0
};

/// What tells the boxes of a drawing apart from one drawing to the next.
const std::string& name_of(const view::Drawing::Node& node);

}  // namespace trellis::gui
